// The report on standard output: a line per rule as verdicts come, what a reader needs below a
// broken one, and the summary last.
#pragma once

#include <map>
#include <ostream>
#include <string>

#include "property_tests/report/run_result.h"

namespace conformance {

class TextReport {
 public:
  explicit TextReport(std::ostream& out) : out_(out) {}

  // Prints the verdict on a rule, unless the same was printed before; of a replay line that has
  // changed since, this line.
  void Print(const RuleResult& rule);
  // Prints the summary of one stack, and is ready for another.
  void Summarise(const StackResult& stack, const RunResult& run);

 private:
  void PrintCounterexample(const RuleResult& rule);
  void PrintLines(const char* label, const std::string& lines);

  std::ostream& out_;
  std::map<std::string, std::pair<Verdict, std::string>> printed_;
};

// All rules that the stacks differ in, a column a stack.
void PrintSideBySide(std::ostream& out, const RunResult& run);
// The last sentence about a run.
std::string Conclusion(const StackResult& stack);

}  // namespace conformance
