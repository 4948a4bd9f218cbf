#include <iomanip>
#include <iostream>
#include <map>

#include "property_tests/commands/commands.h"
#include "property_tests/commands/report_input.h"

namespace conformance {

namespace {

using Rules = std::map<std::string, const RuleResult*>;  // by id

Rules RulesOf(const StackResult& stack) {
  Rules rules;
  for (const RuleResult& rule : stack.rules) rules[rule.rule] = &rule;
  return rules;
}

struct Change {
  std::string rule;
  std::string before;
  std::string after;
  const RuleResult* now;
  bool worse;
};

bool IsBad(const RuleResult* rule) {
  return rule != nullptr && (IsBroken(rule->verdict) || rule->verdict == Verdict::kInconclusive);
}

std::vector<Change> ChangesBetween(const StackResult& before, const StackResult& after) {
  const Rules old = RulesOf(before);
  const Rules fresh = RulesOf(after);
  std::map<std::string, std::pair<const RuleResult*, const RuleResult*>> pairs;
  for (const auto& [id, rule] : old) pairs[id].first = rule;
  for (const auto& [id, rule] : fresh) pairs[id].second = rule;
  std::vector<Change> changes;
  const auto name = [](const RuleResult* rule) {
    return rule == nullptr ? std::string("not judged") : std::string(NameOf(rule->verdict));
  };
  for (const auto& [id, pair] : pairs) {
    const auto& [was, is] = pair;
    if (name(was) == name(is)) continue;
    const bool lost = is == nullptr && was->verdict == Verdict::kPass;
    changes.push_back({id, name(was), name(is), is, lost || (IsBad(is) && !IsBad(was))});
  }
  return changes;
}

bool Show(const std::string& title, const std::vector<Change>& changes) {
  bool worse = false;
  if (!changes.empty()) std::cout << title << '\n';
  for (const Change& change : changes) {
    worse = worse || change.worse;
    std::cout << (change.worse ? "worse   " : "        ") << std::left << std::setw(13)
              << change.before << std::setw(13) << change.after << change.rule << '\n';
    if (!change.worse || change.now == nullptr || !change.now->was_broken) continue;
    const Counterexample& shown = change.now->counterexample;
    std::cout << "        case     " << shown.text << "\n        seen     " << shown.seen
              << "\n        replay   " << shown.replay << '\n';
  }
  return worse;
}

}  // namespace

// Stacks are compared with those of the same name; if each run has one alone, these two.
int CompareCommand(const Request& request) {
  const RunResult before = ReadReport(request.files[0]);
  const RunResult after = ReadReport(request.files[1]);
  bool worse = false;
  bool any = false;
  for (const StackResult& fresh : after.stacks)
    for (const StackResult& old : before.stacks) {
      const bool lone = before.stacks.size() == 1 && after.stacks.size() == 1;
      if (!lone && old.name() != fresh.name()) continue;
      const std::vector<Change> changes = ChangesBetween(old, fresh);
      any = any || !changes.empty();
      worse = Show(old.name() == fresh.name() ? fresh.name() : old.name() + " -> " + fresh.name(),
                   changes) ||
              worse;
    }
  if (!any) std::cout << "nothing has changed\n";
  return worse ? kExitBroken : kExitHolds;
}

}  // namespace conformance
