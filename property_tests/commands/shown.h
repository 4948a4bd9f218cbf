// What `replay` prints, of a case that runs in a worker or in this process.
#pragma once

#include <string>
#include <vector>

#include "property_tests/worker/trace.h"
#include "spec/rule.h"

namespace conformance {

// Shows events as they come; a call that comes back gets what it returned on its line.
class Shown {
 public:
  void Add(const TraceEvent& e);
  void End();

 private:
  bool called_ = false;
};

void ShowPass();
void ShowRule(const char* verdict, const spec::Rule& rule);
// An answer of the worker that tells of a broken rule.
void ShowFinding(const std::vector<std::string>& finding);

}  // namespace conformance
