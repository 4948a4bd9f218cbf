// Every rule that must hold has a planted bug, and the suite charges it to exactly that rule.
#include <gtest/gtest.h>

#include "property_tests/planted_bugs/bug_test.h"
#include "property_tests/planted_bugs/catch_table.h"
#include "property_tests/testing/program_run.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

// The pages that a bug of `function` could be taken for a breach of: its own, and those of what
// its operations meet.
std::vector<std::string> PagesAround(const std::string& function) {
  if (function == "rpma_write" || function == "rpma_atomic_write")
    return {"rpma_write.*", "rpma_atomic_write.*"};
  if (function == "rpma_read" || function == "rpma_flush") return {"rpma_write.*", function + ".*"};
  if (function == "rpma_recv" || function == "rpma_srq_recv" || function == "rpma_conn_req_recv")
    return {"rpma_send.*", function + ".*"};
  return {function + ".*", "rpma_recv.*"};
}

ProgramRun RunWithBug(const std::string& bug, std::vector<std::string> pages) {
  std::vector<std::string> arguments{"--sut", PlantedLibrary(), "--strict", "--seed",
                                     "1",     "--cases",        "200"};
  arguments.insert(arguments.end(), pages.begin(), pages.end());
  return Conformance(arguments, {"PLANTED_BUG=" + bug});
}

// The planted library exports but some of the functions, so that only these pages are judged.
std::vector<std::string> DataPages() {
  std::vector<std::string> pages;
  for (const spec::Page* page : spec::DataPages())
    pages.push_back(std::string(page->function) + ".*");
  return pages;
}

class PlantedBug : public testing::TestWithParam<std::string> {};

TEST_P(PlantedBug, IsChargedToItsRuleAlone) {
  const std::string function = GetParam().substr(0, GetParam().find('.'));
  const ProgramRun run = RunWithBug(GetParam(), PagesAround(function));
  const bool caught = NotHeld(run) == std::vector<std::string>{"FAIL " + GetParam()};
  WriteRow({GetParam(), "rpma-planted", /*turn=*/0, caught, Join(NotHeld(run))});
  EXPECT_TRUE(caught) << run.out << run.err;
  EXPECT_EQ(run.status, 1);
}

INSTANTIATE_TEST_SUITE_P(EveryRule, PlantedBug, testing::ValuesIn(DemandsOf(spec::DataPages())),
                         TestNameOfRule);

TEST(PlantedLibrary, WithoutABugHoldsEveryRule) {
  const ProgramRun run = RunWithBug("", DataPages());
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
  const ProgramRun run = RunWithBug(GetParam().bug, PagesAround("rpma_write"));
  EXPECT_EQ(NotHeld(run), std::vector<std::string>{GetParam().verdict}) << run.out << run.err;
  EXPECT_EQ(run.status, 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, PlantedMisbehaviour,
    testing::Values(Misbehaviour{"crash", "CRASH rpma_write.conn-null"},
                    Misbehaviour{"exit", "EXIT rpma_write.flags-zero"},
                    Misbehaviour{"print-for-ever", "OUTPUT rpma_write.src-null"},
                    Misbehaviour{"hang", "TIMEOUT rpma_write.on-error-silent"}),
    [](const auto& info) {
      std::string name = info.param.bug;
      for (char& c : name)
        if (c == '-') c = '_';
      return name;
    });

}  // namespace

}  // namespace conformance
