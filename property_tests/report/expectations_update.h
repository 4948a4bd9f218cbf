// Brings an expectations file in line with what a run has shown, and touches nothing that may be
// about another stack.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "property_tests/report/run_result.h"

namespace conformance {

struct ExpectationsUpdate {
  std::vector<std::string> added;
  std::vector<std::string> dropped;
  std::vector<std::string>
      left;  // sentences: entries that hold no more, but not only for this stack
};

// Rewrites the file, or makes it: entries for this stack alone whose rules all hold go; rules that
// are broken and that no entry names get one, with `reason`, or with what was seen if it is empty.
// The rest of the text stays as it is. Returns what was done, or what is wrong with the file.
std::variant<ExpectationsUpdate, std::string> UpdateExpectations(const std::string& file,
                                                                 const StackResult& stack,
                                                                 const std::string& reason);

}  // namespace conformance
