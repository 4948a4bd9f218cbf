// TAP version 14: a test point a rule; details of what is not ok as YAML.
#include <nlohmann/json.hpp>
#include <sstream>

#include "property_tests/report/writers.h"

namespace conformance {

namespace {

// A string of JSON is one of YAML.
std::string YamlString(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', /*ensure_ascii=*/true,
                                   nlohmann::json::error_handler_t::replace);
}

// A # would begin a directive.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '#' || c == '\\') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string Directive(const RuleResult& rule) {
  if (rule.verdict == Verdict::kExpected) return " # TODO " + Escaped(rule.reason);
  if (IsSkip(rule.verdict) && rule.verdict != Verdict::kInternal &&
      rule.verdict != Verdict::kEnvironment)
    return " # SKIP " + std::string(NameOf(rule.verdict)) + ": " + Escaped(rule.reason);
  return "";
}

bool IsOk(const RuleResult& rule) {
  return !IsBroken(rule.verdict) && rule.verdict != Verdict::kExpected &&
         rule.verdict != Verdict::kEnvironment && rule.verdict != Verdict::kInternal;
}

void Diagnose(std::ostream& out, const RuleResult& rule) {
  const Counterexample& shown = rule.counterexample;
  out << "  ---\n";
  const auto line = [&](const char* key, const std::string& value) {
    if (!value.empty()) out << "  " << key << ": " << YamlString(value) << '\n';
  };
  line("verdict", std::string(NameOf(rule.verdict)));
  line("page", rule.page);
  line("section", rule.section);
  line("force", rule.force);
  line("message", rule.sentence);
  line("reason", rule.reason);
  line("case", shown.text);
  line("allowed", shown.allowed);
  line("seen", shown.seen);
  line("stack", shown.stack);
  line("replay", shown.replay);
  out << "  ...\n";
}

}  // namespace

std::string ToTap(const RunResult& run) {
  std::size_t count = 0;
  for (const StackResult& stack : run.stacks) count += stack.rules.size();
  std::ostringstream out;
  out << "TAP version 14\n1.." << count << '\n' << "# seed " << run.seed << '\n';
  if (run.should_rules_left_out > 0)
    out << "# " << run.should_rules_left_out << " should-rules left out; --strict adds them\n";
  std::size_t number = 0;
  for (const StackResult& stack : run.stacks) {
    out << "# " << stack.name() << ", ends in " << stack.ends << '\n';
    for (const RuleResult& rule : stack.rules) {
      out << (IsOk(rule) ? "ok " : "not ok ") << ++number << " - " << rule.rule << Directive(rule)
          << '\n';
      if (!IsOk(rule)) Diagnose(out, rule);
    }
  }
  return out.str();
}

}  // namespace conformance
