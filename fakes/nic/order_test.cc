#include "nic/order.h"

#include <gtest/gtest.h>

namespace fakenic {
namespace {

TEST(Order, OnlyTheExecutionOfAReadOvertakesTheSameStepOfAnEarlierMessage) {
  for (size_t i = 0; i < kStepKinds; ++i) {
    const auto kind = static_cast<StepKind>(i);
    EXPECT_EQ(MayOvertake(kind, kind), kind == StepKind::kExecute);
  }
}

TEST(Order, AReadSeesTheWritesBeforeItButNotOnlyThose) {
  EXPECT_FALSE(MayOvertake(StepKind::kExecute, StepKind::kPlace));
  EXPECT_TRUE(MayOvertake(StepKind::kPlace, StepKind::kExecute));
}

TEST(Order, AFlushIsBehindAllBeforeItAndOnlyAnAtomicWriteIsBehindTheFlush) {
  for (const StepKind earlier : {StepKind::kExecute, StepKind::kPlace, StepKind::kPlaceWord}) {
    EXPECT_FALSE(MayOvertake(StepKind::kFlush, earlier));
  }
  EXPECT_FALSE(MayOvertake(StepKind::kPlaceWord, StepKind::kFlush));
  EXPECT_TRUE(MayOvertake(StepKind::kPlace, StepKind::kFlush));
  EXPECT_TRUE(MayOvertake(StepKind::kExecute, StepKind::kFlush));
}

TEST(Order, AReceiveCompletesBehindAllBytesBeforeItAndNoReads) {
  EXPECT_FALSE(MayOvertake(StepKind::kReceive, StepKind::kPlace));
  EXPECT_TRUE(MayOvertake(StepKind::kReceive, StepKind::kExecute));
  EXPECT_TRUE(MayOvertake(StepKind::kReceive, StepKind::kComplete));
}

TEST(Order, WhatAStepHoldsUpIsItsRow) {
  EXPECT_EQ(HeldUpBy(0), 0u);
  EXPECT_EQ(HeldUpBy(Bit(StepKind::kFetch)), kEveryKind);
  EXPECT_EQ(HeldUpBy(Bit(StepKind::kComplete)), Bit(StepKind::kComplete));
  EXPECT_EQ(HeldUpBy(Bit(StepKind::kLand) | Bit(StepKind::kPlace)),
            Bit(StepKind::kLand) | Bit(StepKind::kComplete) | Bit(StepKind::kExecute) |
                Bit(StepKind::kFlush) | Bit(StepKind::kPlace) | Bit(StepKind::kPlaceWord) |
                Bit(StepKind::kReceive));
}

TEST(Order, CompletionsWaitForAnswersAndLandings) {
  EXPECT_FALSE(MayOvertake(StepKind::kComplete, StepKind::kAcknowledge));
  EXPECT_FALSE(MayOvertake(StepKind::kComplete, StepKind::kLand));
}

TEST(Order, OnlyFetchingOvertakesADelivery) {
  EXPECT_TRUE(MayOvertake(StepKind::kFetch, StepKind::kDeliver));
  EXPECT_FALSE(MayOvertake(StepKind::kPlace, StepKind::kDeliver));
  EXPECT_FALSE(MayOvertake(StepKind::kComplete, StepKind::kDeliver));
}

TEST(Order, PlacementHoldsUpNothingButLaterPlacement) {
  EXPECT_TRUE(MayOvertake(StepKind::kDeliver, StepKind::kPlace));
  EXPECT_TRUE(MayOvertake(StepKind::kAcknowledge, StepKind::kPlace));
  EXPECT_TRUE(MayOvertake(StepKind::kComplete, StepKind::kPlace));
  EXPECT_FALSE(MayOvertake(StepKind::kPlace, StepKind::kPlace));
}

}  // namespace
}  // namespace fakenic
