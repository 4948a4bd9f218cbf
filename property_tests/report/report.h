// The report on standard output: a line per rule as verdicts come, what a reader needs below a
// broken one, and the summary last.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "property_tests/report/expectations.h"
#include "property_tests/report/results.h"
#include "property_tests/runner/suite.h"
#include "property_tests/stack.h"

namespace conformance {

class Report {
 public:
  Report(std::ostream& out, const Stack& stack, const Amount& amount, Expectations expectations)
      : out_(out), stack_(stack), amount_(amount), expectations_(std::move(expectations)) {}

  // Prints the verdict on a rule, unless the same was printed before.
  void Print(const spec::Rule* rule, Suite& suite);
  // Prints the summary and returns the exit status. `ended`: how the run came to its end.
  int Summarise(Suite& suite, const Outcome& ended, double seconds);

 private:
  // The verdict in the light of what was expected.
  Verdict Judge(const spec::Rule* rule, Suite& suite) const;
  void PrintCharge(const spec::Rule* rule, const Charge& charge);
  void PrintSeen(const spec::Rule* rule, Suite& suite);
  int Conclude(const Outcome& ended, Suite& suite);

  std::ostream& out_;
  Stack stack_;
  Amount amount_;
  Expectations expectations_;
  std::vector<const spec::Rule*> order_;
  std::map<const spec::Rule*, Verdict> printed_;
};

// `name` quoted for a shell, if it needs to be.
std::string ShellWord(const std::string& word);

}  // namespace conformance
