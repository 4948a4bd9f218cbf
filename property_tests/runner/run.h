// A run on one stack: its parts in their order, and what is told of them on the way.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "property_tests/runner/tally.h"

namespace conformance {

struct RunOptions {
  Amount amount;
  int workers = 1;
  bool whole_uses = true;  // the sweep and the lives too, when more than one page is judged
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::string budget;                      // in words: "time budget of 5m"
  std::vector<std::string> past_failures;  // cases
  std::string folder;                      // for the boards of what is running
};

struct RunObserver {
  std::function<void(const RuleResult&)> judged;  // perhaps more than once
  std::function<void(std::uint64_t cases)> progress;
  // Something is known that was not before. False: to be told again a moment later.
  std::function<bool(const Tally&)> advanced;
};

StackResult RunOn(const Stack& stack, const RunOptions& options, const Selection& selection,
                  const Expectations& expectations, const RunObserver& observer,
                  double& table_seconds);

}  // namespace conformance
