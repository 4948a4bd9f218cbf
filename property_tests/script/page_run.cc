#include "property_tests/script/page_run.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace conformance {

namespace {

// Which scripts a slow NIC runs: those that stand first, and as many others as it is told.
std::vector<bool> Sample(std::size_t size, const Amount& amount) {
  constexpr std::size_t kAlways = 400;  // of one page; nearly all have fewer
  std::vector<bool> taken(size, amount.sample == 0 || size <= kAlways + amount.sample);
  if (size == 0 || taken[0]) return taken;
  for (std::size_t i = 0; i < kAlways; ++i) taken[i] = true;
  std::mt19937_64 random(amount.seed);
  for (std::size_t i = 0; i < amount.sample; ++i) taken[random() % size] = true;
  return taken;
}

}  // namespace

std::size_t RunPage(const ScriptChecks& checks, Interpreter& interpreter, const Amount& amount,
                    std::size_t first, std::size_t end, Board* board, const ReportFinding& report) {
  const std::vector<Script> scripts = checks.scripts(amount.seed);
  const std::vector<bool> taken = Sample(scripts.size(), amount);
  std::set<std::vector<const spec::Rule*>> reported;
  std::size_t skipped = 0;
  end = std::min(end, scripts.size());
  for (std::size_t i = first; i < end; ++i) {
    if (!taken[i]) continue;
    board->position.store(static_cast<std::uint32_t>(i), std::memory_order_relaxed);
    const std::optional<spec::model::Finding> finding = interpreter.Run(scripts[i]);
    if (interpreter.left_out()) ++skipped;
    if (finding && reported.insert(finding->blame).second) report(*finding, Print(scripts[i]), i);
  }
  return skipped;
}

}  // namespace conformance
