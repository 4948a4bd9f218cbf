// The fault sweep: whole uses of the library, in which every call that can fail does, each time
// that it is made.
#pragma once

#include <functional>
#include <string>

#include "property_tests/script/interpreter.h"
#include "property_tests/script/page_run.h"
#include "property_tests/script/scenarios.h"
#include "property_tests/script/script.h"

namespace conformance {

// One case of the sweep, by its number: the nth call of one name in one scenario fails.
class SweepCase {
 public:
  // A call that is made more often than this is not made to fail any further.
  static constexpr unsigned kMost = 64;

  explicit SweepCase(std::size_t number) : number_(number) {}
  static std::size_t Count() { return Scenarios().size() * FailingCalls().size() * kMost; }

  const Scenario& scenario() const { return Scenarios()[number_ / kMost / FailingCalls().size()]; }
  const FailingCall& call() const {
    return FailingCalls()[number_ / kMost % FailingCalls().size()];
  }
  unsigned nth() const { return static_cast<unsigned>(number_ % kMost) + 1; }
  std::string call_and_error() const { return std::string(call().name) + " " + call().error; }
  Script script() const;

 private:
  std::size_t number_;
};

struct SweepReport {
  ReportFinding finding;
  // All cases of one call in one scenario are done; it failed this often.
  std::function<void(const SweepCase& row, unsigned fired)> row;
};

// The cases from number `first` up to `end`. A call fails the first time it is made, then the
// second time, until that never comes.
void Sweep(Interpreter& interpreter, std::size_t first, std::size_t end, Board* board,
           const SweepReport& report);

}  // namespace conformance
