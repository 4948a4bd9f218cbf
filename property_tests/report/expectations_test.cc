#include "property_tests/report/expectations.h"

#include <gtest/gtest.h>

#include <fstream>

#include "property_tests/testing/temp_folder.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

const Stack kOnFake{"/lib/librpma.so.0", /*fake=*/true, "", ""};
const Stack kOnSystem{"/lib/librpma.so.0", /*fake=*/false, "", ""};

class ExpectationsTest : public testing::Test {
 protected:
  std::variant<Expectations, std::string> Load(const std::string& text, const Stack& stack) {
    const std::string file = folder_.file("expectations.toml");
    std::ofstream(file) << text;
    return Expectations::Load(file, stack);
  }
  std::string ProblemOf(const std::string& text) {
    const auto loaded = Load(text, kOnFake);
    const std::string* problem = std::get_if<std::string>(&loaded);
    return problem != nullptr ? problem->substr(problem->rfind('/') + 1) : "";
  }

 private:
  const TempFolder folder_;
};

TEST_F(ExpectationsTest, EntryIsForTheRulesAndTheStacksThatItsGlobsMatch) {
  const std::string text =
      "[[expected]]\nrule = 'rpma_write.length-*'\nstack = '* on fake'\nreason = 'cut'\n";
  const auto on_fake = std::get<Expectations>(Load(text, kOnFake));
  const auto on_system = std::get<Expectations>(Load(text, kOnSystem));

  ASSERT_NE(on_fake.For(spec::FindRule("rpma_write.length-whole")), nullptr);
  EXPECT_EQ(on_fake.For(spec::FindRule("rpma_write.length-whole"))->reason, "cut");
  EXPECT_EQ(on_fake.For(spec::FindRule("rpma_write.conn-null")), nullptr);
  EXPECT_EQ(on_system.For(spec::FindRule("rpma_write.length-whole")), nullptr);
}

TEST_F(ExpectationsTest, WhatIsWrongWithAFileIsSaidWithItsLine) {
  EXPECT_EQ(ProblemOf("[[expected]]\nrule = 'rpma_write.length-whole'\n"),
            "expectations.toml:1: rule 'rpma_write.length-whole' has no reason");
  EXPECT_EQ(ProblemOf("[[expected]]\nrule = 'no_such.rule'\nreason = 'x'\n"),
            "expectations.toml:1: rule 'no_such.rule' names no rule; `rpma-conformance list` has "
            "all");
  EXPECT_EQ(ProblemOf("[[expected]]\nrule = 3\nreason = 'x'\n"),
            "expectations.toml:1: rule: expected a string");
  EXPECT_EQ(ProblemOf("[[expected]]\nrules = 'x'\n"),
            "expectations.toml:1: 'rules' is no key of an entry; stack, rule, reason, link are");
  EXPECT_EQ(ProblemOf("other = 1\n"),
            "expectations.toml: expected entries that begin with [[expected]], and nothing else");
  EXPECT_EQ(ProblemOf("[[expected]\n").substr(0, 21), "expectations.toml:1: ");
}

TEST_F(ExpectationsTest, MissingFileIsAProblem) {
  const auto loaded = Expectations::Load("/nonexistent.toml", kOnFake);
  ASSERT_TRUE(std::holds_alternative<std::string>(loaded));
}

}  // namespace

}  // namespace conformance
