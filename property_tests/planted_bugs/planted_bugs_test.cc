// Every rule that must hold has a planted bug, and the suite charges it to exactly that rule.
#include <gtest/gtest.h>

#include "property_tests/testing/program_run.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

// Only the pages of the data path are judged: the library exports but some of the functions, and
// some bugs have to change what others do.
ProgramRun RunWithBug(const std::string& bug) {
  std::vector<std::string> arguments{"--sut", PlantedLibrary(), "--seed", "1", "--cases", "300"};
  for (const spec::Page* page : spec::DataPages())
    arguments.push_back(std::string(page->function) + ".*");
  return Conformance(std::move(arguments), {"PLANTED_BUG=" + bug});
}

std::vector<std::string> MustRules() {
  std::vector<std::string> ids;
  for (const spec::Page* page : spec::DataPages())
    for (const spec::Rule* rule : page->rules)
      if (rule->force == spec::Force::kMust) ids.emplace_back(rule->id);
  return ids;
}

class PlantedBug : public testing::TestWithParam<std::string> {};

TEST_P(PlantedBug, IsChargedToItsRuleAlone) {
  const ProgramRun run = RunWithBug(GetParam());
  EXPECT_EQ(NotHeld(run), std::vector<std::string>{"FAIL " + GetParam()}) << run.out << run.err;
  EXPECT_EQ(run.status, 1);
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '.' || c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(EveryRule, PlantedBug, testing::ValuesIn(MustRules()), TestName);

TEST(PlantedLibrary, WithoutABugHoldsEveryRule) {
  const ProgramRun run = RunWithBug("");
  EXPECT_EQ(NotHeld(run), std::vector<std::string>{}) << run.out << run.err;
  EXPECT_EQ(run.status, 0);
}

struct Misbehaviour {
  const char* bug;
  const char* verdict;
};

std::ostream& operator<<(std::ostream& out, const Misbehaviour& misbehaviour) {
  return out << misbehaviour.bug;
}

class PlantedMisbehaviour : public testing::TestWithParam<Misbehaviour> {};

TEST_P(PlantedMisbehaviour, IsTheVerdictOfItsRuleAndLeavesTheOthersTheirs) {
  const ProgramRun run = RunWithBug(GetParam().bug);
  EXPECT_EQ(NotHeld(run), std::vector<std::string>{GetParam().verdict}) << run.out << run.err;
  EXPECT_EQ(run.status, 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, PlantedMisbehaviour,
    testing::Values(Misbehaviour{"crash", "CRASH rpma_write.conn-null"},
                    Misbehaviour{"exit", "EXIT rpma_write.flags-zero"},
                    Misbehaviour{"print-for-ever", "TIMEOUT rpma_write.src-null"},
                    Misbehaviour{"hang", "TIMEOUT rpma_write.on-error-silent"}),
    [](const auto& info) {
      std::string name = info.param.bug;
      for (char& c : name)
        if (c == '-') c = '_';
      return name;
    });

}  // namespace

}  // namespace conformance
