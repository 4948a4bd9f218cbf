// Every rule of the pages of calls that must or should hold has a planted bug, and the suite
// charges it to exactly that rule.
#include <gtest/gtest.h>

#include "property_tests/planted_bugs/bug_test.h"
#include "property_tests/planted_bugs/catch_table.h"
#include "property_tests/testing/program_run.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

// The page's rules judged, on a library whose bug acts at the `turn`th call that it can act on.
ProgramRun RunWithBug(const std::string& bug, int turn) {
  return Conformance({"--sut", PlantedCallsLibrary(), "--strict", "--seed", "1", "--cases", "0",
                      bug.substr(0, bug.find('.')) + ".*"},
                     {"PLANTED_BUG=" + bug, "PLANTED_CALL=" + std::to_string(turn)});
}

// What the report calls broken. A library that wrongly accepts the only call which the page refuses
// leaves nothing to learn about out-parameters after an error, and the report says so; that is no
// charge.
std::vector<std::string> Charged(const ProgramRun& run, const std::string& function) {
  std::vector<std::string> charged = NotHeld(run);
  std::erase(charged, "INCONCLUSIVE " + function + ".untouched");
  return charged;
}

class PlantedCallBug : public testing::TestWithParam<std::string> {};

// Many bugs act once. Where they spoil the suite's own set-up, or hide another rule whose only case
// they hit, a later turn must show the bug, and nothing but the bug.
TEST_P(PlantedCallBug, IsChargedToItsRuleAlone) {
  constexpr int kTurns = 40;
  const std::vector<std::string> wanted{"FAIL " + GetParam()};
  const std::string function = GetParam().substr(0, GetParam().find('.'));
  ProgramRun first;
  for (int turn = 1; turn <= kTurns; ++turn) {
    ProgramRun run = RunWithBug(GetParam(), turn);
    if (Charged(run, function) == wanted && run.status == 1)
      return WriteRow({GetParam(), "rpma-planted-calls", turn, true, Join(NotHeld(run))});
    if (turn == 1) first = std::move(run);
  }
  WriteRow({GetParam(), "rpma-planted-calls", /*turn=*/1, false, Join(NotHeld(first))});
  FAIL() << "no turn shows the bug alone; the first gives\n" << first.out << first.err;
}

INSTANTIATE_TEST_SUITE_P(EveryRule, PlantedCallBug, testing::ValuesIn(DemandsOf(spec::CallPages())),
                         TestNameOfRule);

}  // namespace

}  // namespace conformance
