#include "nic/order.h"

#include <gtest/gtest.h>

namespace fakenic {
namespace {

TEST(Order, NoStepOvertakesTheSameStepOfAnEarlierMessage) {
  for (size_t i = 0; i < kStepKinds; ++i) {
    EXPECT_FALSE(MayOvertake(static_cast<StepKind>(i), static_cast<StepKind>(i)));
  }
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
