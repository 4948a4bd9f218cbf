// Runs a page's argument table, from a position on, and reports the first counterexample of each
// kind, which is the simplest: so the table is ordered.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "property_tests/page_checks.h"
#include "property_tests/stack.h"
#include "property_tests/worker/execution.h"

namespace conformance {

class TableRun {
 public:
  TableRun(const PageChecks& checks, const Amount& amount, Board* board);

  // The case at this index of the run.
  Step At(std::size_t index) const {
    return table_.At(positions_.empty() ? index : positions_[index]);
  }
  std::size_t size() const { return positions_.empty() ? table_.size() : positions_.size(); }

  // Leave out the cases that this rule forbids, or has on trial.
  void Skip(const spec::Rule* rule) { skip_.push_back(rule); }

  // Told of the first counterexample among those that blame the same rules.
  using Report = std::function<void(const spec::model::Finding&, const std::string& text,
                                    std::size_t position)>;

  // Runs the cases from `first` up to `end`; returns how many were left out.
  std::size_t Run(std::size_t first, std::size_t end, Execution& execution, const Report& report);

 private:
  bool Skipped(const Step& step) const;

  Config config_;
  Board* board_;
  RuleNumbers numbers_;
  ArgumentTable table_;
  std::vector<std::uint32_t> positions_;  // empty: all
  std::vector<const spec::Rule*> skip_;
};

}  // namespace conformance
