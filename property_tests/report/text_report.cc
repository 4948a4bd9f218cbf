#include "property_tests/report/text_report.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>

namespace conformance {

namespace {

constexpr char kIndent[] = "             ";

// As many as can be read in a line; the report has them all.
std::string Ids(const std::vector<std::string>& ids) {
  constexpr std::size_t kMost = 40;
  std::string text;
  for (std::size_t i = 0; i < ids.size() && i < kMost; ++i)
    text += (text.empty() ? "" : ", ") + ids[i];
  if (ids.size() > kMost) text += " and " + std::to_string(ids.size() - kMost) + " more";
  return text;
}

std::string CountOfRules(std::size_t count) {
  return count == 1 ? "1 rule is" : std::to_string(count) + " rules are";
}

template <class Is>
std::vector<std::string> RulesThat(const StackResult& stack, const Is& is) {
  std::vector<std::string> ids;
  for (const RuleResult& rule : stack.rules)
    if (is(rule.verdict)) ids.push_back(rule.rule);
  return ids;
}

}  // namespace

void TextReport::Print(const RuleResult& rule) {
  const std::pair now{rule.verdict, rule.counterexample.replay};
  const auto [entry, fresh] = printed_.try_emplace(rule.rule, now);
  if (!fresh && entry->second == now) return;
  const bool only_replay = !fresh && entry->second.first == rule.verdict;
  entry->second = now;
  if (only_replay) {
    out_ << std::left << std::setw(13) << "again" << rule.rule << '\n'
         << kIndent << "shows only with what came before it\n"
         << kIndent << "replay   " << now.second << '\n';
    return;
  }
  out_ << std::left << std::setw(13) << NameOf(rule.verdict) << std::setw(60) << rule.rule;
  if (rule.verdict != Verdict::kSeen)
    out_ << std::right << std::setw(9) << rule.cases << (rule.cases == 1 ? " case" : " cases");
  out_ << '\n';
  if (rule.verdict == Verdict::kSeen) {
    for (const Sighting& sighting : rule.sightings)
      out_ << kIndent << std::right << std::setw(8) << sighting.count << "  " << sighting.what
           << '\n';
    if (rule.sightings.empty()) out_ << kIndent << "       0  never seen\n";
  }
  if (!rule.reason.empty()) out_ << kIndent << rule.reason << '\n';
  if (!rule.link.empty()) out_ << kIndent << "link     " << rule.link << '\n';
  if (IsBroken(rule.verdict) && rule.was_broken) PrintCounterexample(rule);
  out_ << std::flush;
}

void TextReport::PrintCounterexample(const RuleResult& rule) {
  const Counterexample& shown = rule.counterexample;
  out_ << kIndent << "rule     " << rule.place() << ": " << rule.sentence << '\n';
  if (!shown.text.empty()) out_ << kIndent << "case     " << shown.text << '\n';
  out_ << kIndent << "allowed  " << shown.allowed << '\n'
       << kIndent << "seen     " << shown.seen << '\n';
  PrintLines("stack", shown.stack);
  PrintLines("printed", shown.output);
  if (!shown.replay.empty()) out_ << kIndent << "replay   " << shown.replay << '\n';
}

void TextReport::PrintLines(const char* label, const std::string& lines) {
  constexpr int kMost = 12;
  std::istringstream in(lines);
  std::string line;
  for (int i = 0; i < kMost && std::getline(in, line); ++i)
    out_ << kIndent << std::left << std::setw(9) << (i == 0 ? label : "") << line.substr(0, 200)
         << '\n';
}

void TextReport::Summarise(const StackResult& stack, const RunResult& run) {
  out_ << '\n'
       << "library      " << stack.library << '\n'
       << "nic          " << stack.nic << ", " << (stack.verbs.empty() ? "not loaded" : stack.verbs)
       << ", address " << stack.address << '\n'
       << "ends         in " << stack.ends;
  if (stack.in_one_process > 0)
    out_ << "; " << stack.in_one_process
         << " cases in one, where both ends take from one receive queue";
  out_ << '\n'
       << "judged       " << run.selection << ", mode " << run.mode << '\n'
       << "seed         " << run.seed << '\n';
  if (run.should_rules_left_out > 0)
    out_ << "left out     " << run.should_rules_left_out
         << (run.should_rules_left_out == 1 ? " should-rule" : " should-rules")
         << "; --strict adds what no page promises, and a careful library does\n";
  out_ << "cases        " << stack.cases << " in all; " << stack.argument_cases
       << " argument cases, " << run.programs << " random programs a page\n";
  if (stack.left_out > 0)
    out_ << "left out     " << stack.left_out
         << " cases, after repeated crashes, hangs or vain waits\n";
  for (const std::string& part : stack.unfinished) out_ << "not finished " << part << '\n';
  out_ << "time         " << std::fixed << std::setprecision(1) << run.seconds << " s with "
       << run.workers << (run.workers == 1 ? " worker" : " workers")
       << "; argument cases a second: " << std::setprecision(0) << run.argument_cases_a_second
       << '\n'
       << "verdicts     ";
  const char* comma = "";
  for (const auto& [verdict, count] : stack.Counts()) {
    out_ << comma << count << ' ' << NameOf(verdict);
    comma = ", ";
  }
  out_ << '\n';
  if (std::any_of(stack.rules.begin(), stack.rules.end(),
                  [](const RuleResult& rule) { return !rule.counterexample.replay.empty(); }))
    out_ << "replay       shows each call of a case; --as-c before the case prints it as C, --gdb "
            "runs "
            "it under gdb\n";
  out_ << Conclusion(stack) << std::endl;
  printed_.clear();
}

std::string Conclusion(const StackResult& stack) {
  const std::vector<std::string> broken = RulesThat(stack, IsBroken);
  const std::vector<std::string> open =
      RulesThat(stack, [](Verdict verdict) { return verdict == Verdict::kInconclusive; });
  if (stack.ending == "internal")
    return "internal error: " + stack.sentence +
           (broken.empty() ? "" : "; " + CountOfRules(broken.size()) + " broken: " + Ids(broken));
  if (stack.ending == "environment") return "the environment is not usable: " + stack.sentence;
  if (!broken.empty()) return CountOfRules(broken.size()) + " broken: " + Ids(broken);
  if (stack.ending == "interrupted") return "interrupted; nothing is known to be broken";
  const bool cut = stack.ending == "time budget";
  if (!open.empty())
    return (cut ? stack.sentence + " before all was judged; " : "") + CountOfRules(open.size()) +
           " inconclusive: " + Ids(open);
  const std::size_t expected =
      RulesThat(stack, [](Verdict verdict) { return verdict == Verdict::kExpected; }).size();
  const bool strict =
      std::any_of(stack.rules.begin(), stack.rules.end(), [](const RuleResult& rule) {
        return rule.force == "should" && rule.verdict == Verdict::kPass;
      });
  std::string sentence =
      strict ? "every rule that must or should hold holds" : "every rule that must hold holds";
  if (expected > 0)
    sentence += ", but for " + std::to_string(expected) + " that the expectations name";
  if (cut) sentence += "; " + stack.sentence + " before all was judged";
  const std::vector<std::string> skipped = RulesThat(stack, IsSkip);
  if (!skipped.empty())
    sentence += "; " + std::to_string(skipped.size()) + " skipped: " + Ids(skipped);
  return sentence;
}

void PrintSideBySide(std::ostream& out, const RunResult& run) {
  std::map<std::string, std::map<std::size_t, Verdict>> rows;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < run.stacks.size(); ++i)
    for (const RuleResult& rule : run.stacks[i].rules) {
      if (rows.count(rule.rule) == 0) order.push_back(rule.rule);
      rows[rule.rule][i] = rule.verdict;
    }
  out << "\nside by side, the rules that differ\n";
  for (std::size_t i = 0; i < run.stacks.size(); ++i)
    out << "  " << static_cast<char>('A' + i % 26) << "  " << run.stacks[i].name() << '\n';
  for (std::size_t i = 0; i < run.stacks.size(); ++i)
    out << std::left << std::setw(14) << static_cast<char>('A' + i % 26);
  out << "rule\n";
  bool any = false;
  for (const std::string& rule : order) {
    std::set<Verdict> verdicts;
    for (const auto& [stack, verdict] : rows[rule]) verdicts.insert(verdict);
    if (verdicts.size() == 1 && rows[rule].size() == run.stacks.size()) continue;
    any = true;
    for (std::size_t i = 0; i < run.stacks.size(); ++i)
      out << std::left << std::setw(14)
          << (rows[rule].count(i) > 0 ? NameOf(rows[rule][i]) : std::string_view("-"));
    out << rule << '\n';
  }
  if (!any) out << "none\n";
}

}  // namespace conformance
