#include "property_tests/program/argument_table.h"

#include <gtest/gtest.h>

#include <set>

#include "property_tests/page_checks.h"
#include "property_tests/program/meaning.h"

namespace conformance {

namespace {

TEST(ArgumentTable, OrdersCallsByTheNumberOfClausesThatForbidThem) {
  for (const PageChecks* checks : kAllChecks) {
    const ArgumentTable table(checks->products(/*seed=*/1), checks->config);
    std::size_t before = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::size_t clauses = MeaningOf(table.At(i), checks->config).refusals.size();
      ASSERT_GE(clauses, before) << "position " << i;
      before = clauses;
    }
  }
}

TEST(ArgumentTable, HasACaseOfItsOwnForEveryClause) {
  for (const PageChecks* checks : kAllChecks) {
    const ArgumentTable table(checks->products(/*seed=*/1), checks->config);
    std::set<const spec::Rule*> own;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const Meaning meaning = MeaningOf(table.At(i), checks->config);
      if (meaning.refusals.size() == 1) own.insert(meaning.refusals.rule(0));
    }
    // The clause about a failed post, which arguments do not show, is not in the table.
    std::size_t clauses = 0;
    for (const spec::Rule* rule : checks->page->rules)
      clauses += rule->section == "ERRORS" && rule != checks->page->post_failed ? 1 : 0;
    EXPECT_EQ(own.size(), clauses) << checks->page->function;
  }
}

TEST(ArgumentTable, SampleKeepsTheSimplestLengthBeyond32Bits) {
  const PageChecks& checks = rpma_write::kChecks;
  const ArgumentTable table(checks.products(/*seed=*/1), checks.config);
  bool kept = false;
  for (const std::uint32_t i : table.Sample(/*more=*/0, /*seed=*/1)) {
    const Step step = table.At(i);
    kept |= step.len == std::uint64_t{1} << 32 && step.remote_offset == 0 &&
            step.local_offset == 0 && step.flags == 3 && step.remote == Remote::kGood &&
            step.local == Local::kGood && step.handle;
  }
  EXPECT_TRUE(kept);
}

TEST(ArgumentTable, SampleKeepsEveryKindOfCall) {
  const PageChecks& checks = rpma_write::kChecks;
  const ArgumentTable table(checks.products(/*seed=*/1), checks.config);

  const std::vector<std::uint32_t> sample = table.Sample(/*more=*/20, /*seed=*/1);

  std::set<const spec::Rule*> all;
  std::set<const spec::Rule*> kept;
  for (std::size_t i = 0; i < table.size(); ++i)
    all.insert(RuleOnTrial(MeaningOf(table.At(i), checks.config)));
  for (const std::uint32_t i : sample)
    kept.insert(RuleOnTrial(MeaningOf(table.At(i), checks.config)));
  EXPECT_EQ(kept, all);
  EXPECT_LT(sample.size(), 600u);
  EXPECT_EQ(table.Sample(20, 1), sample);
}

}  // namespace

}  // namespace conformance
