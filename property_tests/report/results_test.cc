#include "property_tests/report/results.h"

#include <gtest/gtest.h>

#include "spec/rpma_write.h"

namespace conformance {

namespace {

constexpr const spec::Rule& kDstNull = spec::rpma_write::Write::kDstNull;
constexpr const spec::Rule& kConnNull = spec::rpma_write::Write::kConnNull;
constexpr const spec::Rule& kFlagsZero = spec::rpma_write::Write::kFlagsZero;

Charge Broken(std::vector<const spec::Rule*> blame, std::string text) {
  return {Ending::kDone, std::move(blame), std::move(text), "", ""};
}

TEST(Results, CaseOfSeveralClausesIsChargedToTheOneThatFailsOnItsOwn) {
  Results results;
  results.Add(Broken({&kConnNull, &kFlagsZero}, "both"));
  results.Add(Broken({&kFlagsZero}, "own"));

  EXPECT_EQ(results.Against(&kConnNull), nullptr);
  ASSERT_NE(results.Against(&kFlagsZero), nullptr);
  EXPECT_EQ(results.Against(&kFlagsZero)->text, "own");
}

TEST(Results, CaseOfSeveralClausesIsChargedToTheFirstIfNoneFailsOnItsOwn) {
  Results results;
  results.Add(Broken({&kConnNull, &kFlagsZero}, "both"));

  EXPECT_NE(results.Against(&kConnNull), nullptr);
  EXPECT_EQ(results.Against(&kFlagsZero), nullptr);
}

TEST(Results, FindingThatABrokenRuleExplainsIsNoNewRule) {
  Results results;
  results.Add(Broken({&kFlagsZero}, "own"));

  EXPECT_EQ(results.Resolve({&kDstNull, &kFlagsZero}), nullptr);
  EXPECT_EQ(results.Resolve({&kDstNull, &kConnNull}), &kDstNull);
}

TEST(Results, KeepsTheSmallerCase) {
  Results results;
  results.Add(Broken({&kFlagsZero}, "a long case"));
  results.Add(Broken({&kFlagsZero}, "short"));
  results.Add(Broken({&kFlagsZero}, "longer"));

  EXPECT_EQ(results.Against(&kFlagsZero)->text, "short");
}

TEST(Results, RuleThatNoCaseTestedIsInconclusive) {
  const Results results;
  EXPECT_EQ(VerdictOn(&kFlagsZero, results, /*tested=*/0, /*function_missing=*/false),
            Verdict::kInconclusive);
  EXPECT_EQ(VerdictOn(&kFlagsZero, results, /*tested=*/1, /*function_missing=*/false),
            Verdict::kPass);
  EXPECT_EQ(VerdictOn(&kFlagsZero, results, /*tested=*/0, /*function_missing=*/true),
            Verdict::kMissing);
}

TEST(Results, AbnormalEndIsTheVerdict) {
  Results results;
  results.Add({Ending::kCrashed, {&kConnNull}, "case", "", ""});
  results.Add({Ending::kTimedOut, {&kDstNull}, "case", "", ""});
  results.Add({Ending::kExited, {&kFlagsZero}, "case", "", ""});

  EXPECT_EQ(VerdictOn(&kConnNull, results, 1, false), Verdict::kCrash);
  EXPECT_EQ(VerdictOn(&kDstNull, results, 1, false), Verdict::kTimeout);
  EXPECT_EQ(VerdictOn(&kFlagsZero, results, 1, false), Verdict::kExit);
}

}  // namespace

}  // namespace conformance
