'use strict';

const run = JSON.parse(document.getElementById('data').textContent);
const many = run.stacks.length > 1;
const letter = i => String.fromCharCode(65 + i % 26);

const kSense = {
  PASS: 'good', MOOT: 'seen', SEEN: 'seen', XFAIL: 'known',
  INCONCLUSIVE: 'skip', UNSUPPORTED: 'skip', DISABLED: 'skip', ENVIRONMENT: 'skip', INTERNAL: 'skip',
};
const senseOf = verdict => kSense[verdict] || 'bad';

function make(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

function badge(verdict) {
  return make('span', {className: 'badge ' + senseOf(verdict)}, verdict);
}

// Rows: a rule with what each stack has to say of it.
const rows = [];
const byRule = new Map();
run.stacks.forEach((stack, i) => {
  for (const rule of stack.rules) {
    if (!byRule.has(rule.rule)) {
      const row = {id: rule.rule, rule, results: new Array(run.stacks.length).fill(null)};
      byRule.set(rule.rule, row);
      rows.push(row);
    }
    byRule.get(rule.rule).results[i] = rule;
  }
});
for (const row of rows) {
  row.verdicts = row.results.map(result => result ? result.verdict : '-');
  row.failing = row.verdicts.some(verdict => verdict !== '-' && senseOf(verdict) === 'bad');
  row.differs = new Set(row.verdicts).size > 1;
  row.text = [row.id, row.rule.page, row.rule.section, row.rule.sentence].join(' ').toLowerCase();
}

const filter = {text: '', failing: false, differing: false, verdict: ''};

function wanted(row) {
  return (!filter.failing || row.failing) && (!filter.differing || row.differs) &&
      (!filter.verdict || row.verdicts.includes(filter.verdict)) &&
      filter.text.split(/\s+/).every(word => row.text.includes(word));
}

function showStacks() {
  const box = document.getElementById('stacks');
  run.stacks.forEach((stack, i) => {
    const broken = Object.keys(stack.verdicts).filter(v => senseOf(v) === 'bad');
    const count = broken.reduce((sum, verdict) => sum + stack.verdicts[verdict], 0);
    let sentence = 'Every rule that must hold holds.';
    if (stack.verdicts.XFAIL) sentence = 'All as expected; ' + stack.verdicts.XFAIL + ' known to be broken.';
    if (stack.verdicts.INCONCLUSIVE) sentence = stack.verdicts.INCONCLUSIVE + ' inconclusive.';
    if (count) sentence = count === 1 ? '1 rule is broken.' : count + ' rules are broken.';
    if (stack.ending !== 'complete') sentence += ' Not complete: ' + (stack.sentence || stack.ending) + '.';
    const open = stack.verdicts.INCONCLUSIVE || stack.ending !== 'complete';
    const chips = Object.entries(stack.verdicts).map(([verdict, n]) => make('button', {
      className: 'badge ' + senseOf(verdict), type: 'button', title: 'only these',
      onclick: () => { filter.verdict = filter.verdict === verdict ? '' : verdict; showMatrix(); },
    }, n + ' ' + verdict));
    box.append(make('article', {className: 'stack' + (count ? ' is-bad' : open ? ' is-open' : '')},
        make('h2', {}, many ? make('span', {className: 'letter'}, letter(i)) : null,
             stack.library + ' on ' + stack.nic),
        stack.ends === 'two processes'
            ? make('p', {}, 'The ends are in two processes; of ' + stack.cases + ' cases ' + stack.in_one_process +
                            ' have both in one, where they take from one receive queue.') : null,
        make('p', {}, sentence),
        make('div', {className: 'chips'}, ...chips)));
  });
}

function term(list, name, value, className) {
  if (!value && value !== 0) return;
  list.append(make('dt', {}, name), make('dd', {className: className || ''}, value));
}

function replayLine(text) {
  const button = make('button', {type: 'button'}, 'copy');
  button.onclick = () => {
    const done = () => { button.textContent = 'copied'; };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => {});
  };
  return make('div', {},
      make('div', {className: 'replay'}, make('pre', {}, text), button),
      make('div', {className: 'hint'}, 'Before the case, --as-c prints it as a C program, and --gdb runs it under gdb.'));
}

function detailOf(row) {
  const box = make('div', {className: 'detail'},
      make('div', {className: 'clause'}, make('small', {}, row.rule.page + ', ' + row.rule.section +
          ' · ' + row.rule.force), row.rule.sentence));
  row.results.forEach((result, i) => {
    if (!result) return;
    if (many) box.append(make('h4', {}, letter(i) + '  ' + run.stacks[i].library + ' on ' + run.stacks[i].nic));
    const list = make('dl', {});
    term(list, 'verdict', badge(result.verdict));
    term(list, 'why', result.reason);
    term(list, 'link', result.link);
    term(list, 'cases', result.cases);
    for (const sighting of result.seen || []) term(list, 'seen ' + sighting.count + ' times', sighting.what);
    const shown = result.counterexample;
    if (shown) {
      term(list, 'case', shown.case, 'code');
      term(list, 'allowed', shown.allowed, 'code');
      term(list, 'seen', shown.seen, 'code seenvalue');
      term(list, 'stack', shown.stack, 'code');
      term(list, 'printed', shown.output, 'code');
      if (shown.replays) term(list, 'run again', shown.replays.same + ' of ' + shown.replays.run + ' times the same');
    }
    box.append(list);
    if (shown && shown.replay) box.append(replayLine(shown.replay));
    if (shown && shown.trace) box.append(figureOf(shown));
  });
  return box;
}

function toggle(row, item, button) {
  const open = item.querySelector('.detail');
  button.setAttribute('aria-expanded', String(!open));
  if (open) { open.remove(); return; }
  item.append(detailOf(row));
  drawAll(item);
}

function itemOf(row) {
  const cells = row.results.map((result, i) => {
    const cell = badge(result ? result.verdict : '-');
    if (many) cell.title = letter(i);
    return cell;
  });
  const name = make('span', {className: 'name'}, row.id.slice(row.id.indexOf('.') + 1));
  const button = make('button', {type: 'button', 'aria-expanded': 'false', id: 'rule-' + row.id},
      name, make('span', {className: 'cells'}, ...cells));
  const item = make('div', {className: 'rule'}, button);
  button.onclick = () => toggle(row, item, button);
  return item;
}

function showMatrix() {
  const matrix = document.getElementById('matrix');
  matrix.textContent = '';
  const pages = new Map();
  for (const row of rows.filter(wanted)) {
    const page = row.id.slice(0, row.id.indexOf('.'));
    if (!pages.has(page)) pages.set(page, []);
    pages.get(page).push(row);
  }
  let shown = 0;
  for (const [page, list] of pages) {
    shown += list.length;
    matrix.append(make('section', {className: 'page'},
        make('h3', {}, page, make('span', {}, list.length + (list.length === 1 ? ' rule' : ' rules'))),
        make('div', {className: 'rules'}, ...list.map(itemOf))));
  }
  if (shown === 0) matrix.append(make('p', {className: 'empty'}, 'No rule is like that.'));
  document.getElementById('shown').textContent =
      shown + ' of ' + rows.length + ' rules' + (filter.verdict ? ', ' + filter.verdict : '');
}

// The sequence diagram: the two ends left and right, the NIC between them.
function svg(tag, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function wrap(text, columns) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + 1 + word.length > columns) { lines.push(line); line = ''; }
    line = line ? line + ' ' + word : word;
    while (line.length > columns) { lines.push(line.slice(0, columns)); line = line.slice(columns); }
  }
  if (line) lines.push(line);
  return lines;
}

// Calls and what they returned become one row.
function rowsOf(shown) {
  const list = [];
  for (const [who, kind, text] of shown.trace) {
    const last = list[list.length - 1];
    if (kind === 'return' && last && ['call', 'suite'].includes(last.kind) && last.who === who) last.text += ' → ' + text;
    else list.push({who, kind, text});
  }
  return list;
}

function figureOf(shown) {
  const figure = make('figure', {}, make('figcaption', {}, 'what happened, call by call, when the case was run again'));
  figure.draw = () => {
    const old = figure.querySelector('svg');
    if (old) old.remove();
    figure.prepend(diagram(shown, Math.max(280, figure.clientWidth - 2)));
  };
  return figure;
}

function diagram(shown, width) {
  const kLine = 16, kChar = 7.3, edge = 16, middle = width / 2;
  const at = {client: edge, server: width - edge, '': middle};
  const picture = svg('svg', {role: 'img', 'aria-label': 'sequence of calls at client and server'});
  const lives = svg('g', {});
  picture.append(lives);
  let y = 22;
  const write = (x, anchor, lines, className) => {
    for (const line of lines) {
      picture.append(svg('text', {x, y, 'text-anchor': anchor, class: className || ''}, line));
      y += kLine;
    }
  };
  const arrow = (from, to, none) => {
    const tip = to > from ? -7 : 7;
    picture.append(svg('path', {class: 'arrow' + (none ? ' none' : ''), d: `M${from} ${y}H${to}`}));
    if (!none) picture.append(svg('path', {class: 'tip', d: `M${to} ${y}l${tip} -4v8z`}));
    y += kLine;
  };
  const band = (text, className, bandClass) => {
    const lines = wrap(text, Math.floor((width - 4 * edge) / kChar));
    picture.append(svg('rect', {class: bandClass, x: edge * 1.5, y: y - 13, rx: 5,
                                width: width - 3 * edge, height: lines.length * kLine + 4}));
    write(middle, 'middle', lines, className);
    y += 6;
  };
  picture.append(svg('text', {x: 4, y, class: 'head'}, 'client'));
  picture.append(svg('text', {x: middle, y, 'text-anchor': 'middle', class: 'head'}, 'NIC'));
  picture.append(svg('text', {x: width - 4, y, 'text-anchor': 'end', class: 'head'}, 'server'));
  y += 14;
  const top = y;
  y += 14;
  const half = Math.floor((middle - 2.5 * edge) / kChar);
  for (const row of rowsOf(shown)) {
    const here = at[row.who] === undefined ? middle : at[row.who];
    const isClient = row.who === 'client';
    if (!row.who) {
      band(row.kind === 'nic' ? 'NIC: ' + row.text : row.text, row.kind === 'call' ? '' : 'quiet', 'band');
    } else if (row.kind === 'posted') {
      const none = row.text === 'nothing';
      write(isClient ? here + 12 : here - 12, isClient ? 'start' : 'end',
            ['posts ' + row.text], none ? 'quiet' : 'wire');
      y -= 10;
      arrow(here, middle, none);
      y += 4;
    } else if (row.kind === 'completion') {
      write(isClient ? here + 12 : here - 12, isClient ? 'start' : 'end',
            wrap('completion ' + row.text, half), 'wire');
      y -= 10;
      arrow(middle, here, false);
      y += 4;
    } else {
      picture.append(svg('circle', {class: 'dot', cx: here, cy: y - 4, r: 4}));
      write(isClient ? here + 12 : here - 12, isClient ? 'start' : 'end', wrap(row.text, half),
            row.kind === 'call' ? '' : 'quiet');
      y += 4;
    }
  }
  y += 4;
  band('seen: ' + shown.seen, 'wrong', 'wrongband');
  for (const x of [at.client, middle, at.server])
    lives.append(svg('path', {class: 'life', d: `M${x} ${top - 6}V${y}`}));
  picture.setAttribute('viewBox', `0 0 ${width} ${y + 6}`);
  picture.setAttribute('height', y + 6);
  return picture;
}

function drawAll(root) {
  for (const figure of root.querySelectorAll('figure')) if (figure.draw) figure.draw();
}

// A link with #failing shows the failing rules, one with #rule=ID that rule, opened.
function followLink() {
  const wish = decodeURIComponent(location.hash.slice(1));
  const failing = document.getElementById('failing');
  const rule = wish.startsWith('rule=') ? wish.slice(5) : '';
  failing.checked = filter.failing = wish === 'failing';
  document.getElementById('search').value = filter.text = rule;
  showMatrix();
  const button = document.getElementById('rule-' + rule);
  if (button) button.click();
}

document.getElementById('about').textContent =
    [run.selection, 'mode ' + run.mode, 'seed ' + run.seed, 'suite ' + run.suite].join(' · ');
document.getElementById('environment').textContent =
    Object.entries(run.environment).map(pair => pair.join(': ')).join(' · ') + ' · ' +
    run.times.seconds.toFixed(1) + ' s with ' + run.times.workers + ' workers';
document.getElementById('differing').parentNode.hidden = !many;
document.getElementById('search').oninput = event => {
  filter.text = event.target.value.toLowerCase().trim();
  showMatrix();
};
for (const name of ['failing', 'differing'])
  document.getElementById(name).onchange = event => {
    filter[name] = event.target.checked;
    showMatrix();
  };
addEventListener('resize', () => drawAll(document));
addEventListener('hashchange', followLink);
showStacks();
followLink();
