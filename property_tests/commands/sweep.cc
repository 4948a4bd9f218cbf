#include <iostream>

#include "property_tests/commands/commands.h"
#include "property_tests/runner/suite.h"

namespace conformance {

// Makes every call fail in every scenario, and says how often each did.
int SweepCommand(const Request& request) {
  const PartResult result = Suite(request.stacks[0], request.amount).Run({PartKind::kSweep});
  if (result.outcome.ending != Ending::kDone) {
    std::cerr << "environment not usable: " << result.outcome.sentence << '\n';
    return kExitEnvironment;
  }
  for (const auto& [scenario, calls] : result.fired)
    for (const auto& [call, fired] : calls)
      if (fired > 0)
        std::cout << scenario << std::string(20 - scenario.size(), ' ') << call
                  << std::string(40 - call.size(), ' ') << fired << '\n';
  Results results;
  for (const Charge& charge : result.charges) results.Add(charge);
  for (const spec::Rule* rule : results.broken()) {
    const Charge& charge = *results.Against(rule);
    std::cout << "broken  " << rule->id << "\ncase    " << charge.text << "\nallowed "
              << charge.allowed << "\nseen    " << charge.seen << '\n';
  }
  return results.broken().empty() ? kExitHolds : kExitBroken;
}

}  // namespace conformance
