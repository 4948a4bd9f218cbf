// The cases that stand in a list: of an argument table, of a page's scripts, of the sweep.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "property_tests/runner/part.h"
#include "property_tests/stack.h"

namespace conformance {

struct CaseList {
  std::vector<std::string> request;  // of a worker: what is asked, and of which list
  std::function<std::string(std::size_t)> text;
  // Whom a case is charged to that did not come back. Nobody: the rule that the board names.
  std::function<std::vector<const spec::Rule*>(std::size_t)> blame;
};

// Nothing: the part is no list.
std::optional<CaseList> ListOf(const Part& part, const Amount& amount);

// The cases `first` to `last` of a part, as one case that can be replayed:
// "cases 0..17 of rpma_write arguments, seed 1, sample 0".
struct CaseRange {
  std::string part;
  std::size_t first = 0;
  std::size_t last = 0;
  std::uint64_t seed = 0;
  std::uint64_t sample = 0;
};
std::string Print(const CaseRange& range);
std::optional<CaseRange> ParseCaseRange(const std::string& text);

}  // namespace conformance
