// A summary for the page of a CI job.
#include <sstream>

#include "property_tests/report/text_report.h"
#include "property_tests/report/writers.h"

namespace conformance {

namespace {

// Within a cell of a table.
std::string Cell(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '<' || c == '`' || c == '\\') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

void AddDetails(std::ostream& out, const RuleResult& rule) {
  const Counterexample& shown = rule.counterexample;
  out << "\n<details><summary><code>" << rule.rule << "</code>: " << NameOf(rule.verdict)
      << "</summary>\n\n"
      << Cell(rule.place()) << ": " << Cell(rule.sentence) << "\n\n"
      << "```\n";
  const auto line = [&](const char* label, const std::string& value) {
    if (!value.empty()) out << label << value << '\n';
  };
  line("reason   ", rule.reason);
  line("case     ", shown.text);
  line("allowed  ", shown.allowed);
  line("seen     ", shown.seen);
  line("stack\n", shown.stack);
  line("replay   ", shown.replay);
  out << "```\n\n</details>\n";
}

void AddStack(std::ostream& out, const StackResult& stack) {
  constexpr int kMost = 50;  // such pages are cut at a megabyte
  out << "\n### " << Cell(stack.name()) << "\n\n" << Cell(Conclusion(stack)) << ".\n\n";
  if (stack.in_one_process > 0)
    out << "The ends are in two processes; of " << stack.cases << " cases " << stack.in_one_process
        << " have both in one, where they take from one receive queue.\n\n";
  out << "| verdict | rules |\n|---|---:|\n";
  for (const auto& [verdict, count] : stack.Counts())
    out << "| " << NameOf(verdict) << " | " << count << " |\n";
  int shown = 0;
  int broken = 0;
  for (const RuleResult& rule : stack.rules) {
    if (!IsBroken(rule.verdict)) continue;
    if (broken++ == 0) out << "\n#### Broken\n";
    if (shown < kMost) AddDetails(out, rule);
    ++shown;
  }
  if (broken > kMost) out << "\n" << broken - kMost << " more are in the other reports.\n";
  bool any = false;
  for (const RuleResult& rule : stack.rules) {
    if (!IsSkip(rule.verdict)) continue;
    if (!any) out << "\n#### Skipped\n\n| rule | verdict | why |\n|---|---|---|\n";
    any = true;
    out << "| `" << rule.rule << "` | " << NameOf(rule.verdict) << " | " << Cell(rule.reason)
        << " |\n";
  }
}

}  // namespace

std::string ToMarkdown(const RunResult& run) {
  std::ostringstream out;
  out << "## rpma-conformance\n\nmode " << run.mode << ", seed " << run.seed << ", "
      << Cell(run.selection) << "\n";
  if (run.should_rules_left_out > 0)
    out << "\n"
        << run.should_rules_left_out << " should-rules were left out; `--strict` adds them.\n";
  for (const StackResult& stack : run.stacks) AddStack(out, stack);
  return out.str();
}

}  // namespace conformance
