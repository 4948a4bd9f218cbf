#include "property_tests/report/run_result.h"

#include <algorithm>

namespace conformance {

std::map<Verdict, int> StackResult::Counts() const {
  std::map<Verdict, int> counts;
  for (const RuleResult& rule : rules) ++counts[rule.verdict];
  return counts;
}

int ExitStatusOf(const StackResult& stack, bool fail_on_skip) {
  const std::map<Verdict, int> counts = stack.Counts();
  const auto any = [&](const auto& is) {
    return std::any_of(counts.begin(), counts.end(),
                       [&](const auto& entry) { return is(entry.first); });
  };
  if (stack.ending == "internal") return kExitInternal;
  if (stack.ending == "environment") return kExitEnvironment;
  if (any(IsBroken)) return kExitBroken;
  if (stack.ending == "interrupted" || counts.count(Verdict::kInconclusive) > 0 ||
      (fail_on_skip && any(IsSkip)))
    return kExitInconclusive;
  return kExitHolds;
}

int ExitStatusOf(const RunResult& run, bool fail_on_skip) {
  constexpr int kByUrgency[] = {kExitInternal, kExitEnvironment, kExitBroken, kExitInconclusive};
  for (const int status : kByUrgency)
    for (const StackResult& stack : run.stacks)
      if (ExitStatusOf(stack, fail_on_skip) == status) return status;
  return kExitHolds;
}

}  // namespace conformance
