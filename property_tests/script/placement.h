// At which of two ends the calls of a script are made. The end that listens is the server's, the
// one that asks is the client's; what an end has made belongs to it. What both are made from, both
// make.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "property_tests/program/program.h"
#include "property_tests/script/script.h"

namespace conformance {

// Whether one end listens and the other asks: there is no connection without both.
bool HasTwoEnds(const Script& script);

class Placement {
 public:
  // The ends at which the next call of the script is made.
  const std::vector<Side>& Of(const ScriptCall& call);

 private:
  const std::vector<Side>& EndsOf(const ScriptCall& call) const;

  std::map<std::string, const std::vector<Side>*, std::less<>> ends_;  // that have this variable
};

}  // namespace conformance
