#include "property_tests/worker/table_run.h"

#include <algorithm>
#include <set>

#include "property_tests/program/text.h"

namespace conformance {

TableRun::TableRun(const PageChecks& checks, const Amount& amount, Board* board)
    : config_(checks.config), board_(board), table_(checks.products(amount.seed), checks.config) {
  if (amount.sample > 0) positions_ = table_.Sample(amount.sample, amount.seed);
}

bool TableRun::Skipped(const Step& step) const {
  if (skip_.empty()) return false;
  const Meaning meaning = MeaningOf(step, config_);
  return std::any_of(skip_.begin(), skip_.end(), [&](const spec::Rule* rule) {
    return meaning.refusals.Contains(rule) || RuleOnTrial(meaning) == rule;
  });
}

std::size_t TableRun::Run(std::size_t first, std::size_t end, Execution& execution,
                          const Report& report) {
  constexpr std::uint64_t kMostWaitsInVain = 50;
  const std::uint64_t waited = board_->waits_in_vain;
  std::set<std::vector<const spec::Rule*>> reported;
  std::size_t skipped = 0;
  end = std::min(end, size());
  for (std::size_t index = first; index < end; ++index) {
    const Step step = At(index);
    if (Skipped(step)) {
      ++skipped;
      continue;
    }
    if (board_->waits_in_vain - waited > kMostWaitsInVain) return skipped + end - index;
    board_->position.store(static_cast<std::uint32_t>(index), std::memory_order_relaxed);
    const std::optional<spec::model::Finding> finding = execution.RunCall(step, config_);
    if (!finding) continue;
    Count(board_->broken[numbers_.of(finding->blame[0])]);
    if (reported.insert(finding->blame).second) report(*finding, Print(step), index);
  }
  return skipped;
}

}  // namespace conformance
