// Every rule about the library as a file has a library that breaks it, and the suite charges that
// one to exactly this rule.
#include <gtest/gtest.h>

#include "property_tests/planted_bugs/catch_table.h"
#include "property_tests/testing/program_run.h"
#include "spec/librpma.h"

namespace conformance {

namespace {

class PlantedFile : public testing::TestWithParam<const spec::Rule*> {};

TEST_P(PlantedFile, IsChargedToItsRuleAlone) {
  const std::string id(GetParam()->id);
  const std::string file = PlantedFilesFolder() + "/" + id.substr(id.find('.') + 1) + ".so";
  const ProgramRun run = Conformance({"--sut", file, "--strict", "librpma.*"});
  const bool caught = NotHeld(run) == std::vector<std::string>{"FAIL " + id};
  WriteRow(
      {id, "planted_files" + file.substr(file.rfind('/')), /*turn=*/0, caught, Join(NotHeld(run))});
  EXPECT_TRUE(caught) << run.out << run.err;
  EXPECT_EQ(run.status, 1);
}

INSTANTIATE_TEST_SUITE_P(EveryRule, PlantedFile, testing::ValuesIn(spec::librpma::kRules),
                         [](const auto& info) {
                           std::string name(info.param->id);
                           for (char& c : name)
                             if (c == '.' || c == '-') c = '_';
                           return name;
                         });

}  // namespace

}  // namespace conformance
