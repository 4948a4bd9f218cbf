#include "property_tests/script/sweep.h"

#include <algorithm>
#include <set>
#include <vector>

namespace conformance {

Script SweepCase::script() const {
  Script script = MustParseScript(scenario().calls);
  ScriptCall fault{std::string(kFault), {call().name, std::to_string(nth()), call().error}};
  script.calls.insert(script.calls.begin(), std::move(fault));
  return script;
}

void Sweep(Interpreter& interpreter, std::size_t first, std::size_t end, Board* board,
           const SweepReport& report) {
  constexpr std::size_t kMost = SweepCase::kMost;
  std::set<std::vector<const spec::Rule*>> reported;
  end = std::min(end, SweepCase::Count());
  for (std::size_t number = first; number < end; ++number) {
    const SweepCase one(number);
    const std::size_t next_call = (number / kMost + 1) * kMost;
    if (!interpreter.CanFail(one.call().name)) {
      number = next_call - 1;
      continue;
    }
    board->position.store(static_cast<std::uint32_t>(number), std::memory_order_relaxed);
    const Script script = one.script();
    const std::optional<spec::model::Finding> finding = interpreter.Run(script);
    if (finding && reported.insert(finding->blame).second)
      report.finding(*finding, Print(script), number);
    if (interpreter.failed_on_demand() && number + 1 < next_call) continue;
    report.row(one, one.nth() - (interpreter.failed_on_demand() ? 0 : 1));
    number = next_call - 1;
  }
}

}  // namespace conformance
