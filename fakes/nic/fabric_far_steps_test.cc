// Messages between two fabrics that take their steps one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/test_far_pair.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::Pair;

// The same outcomes when both fabrics take steps.
class FabricFarInSteps : public FabricFar {
 protected:
  FabricFarInSteps() {
    pair_.near.fabric.set_eager(false);
    pair_.far.fabric.set_eager(false);
  }

  void RunInSteps() {
    for (bool moved = true; moved;) {
      moved = pair_.near.fabric.RunInOrder() + pair_.far.fabric.RunInOrder() > 0;
      moved = !pair_.near.wire.packets.empty() || !pair_.far.wire.packets.empty() || moved;
      pair_.Run();
    }
  }
};

TEST_F(FabricFarInSteps, EveryOperationHasTheSameOutcome) {
  pair_.local().Fill("abcdefgh");
  pair_.PostRecv(7, 100, 8);
  pair_.PostRecv(8, 200, 8);
  uint64_t wr_id = 1;
  for (const auto opcode :
       {WrOpcode::kRdmaWrite, WrOpcode::kSend, WrOpcode::kRdmaWriteWithImm, WrOpcode::kRdmaRead,
        WrOpcode::kAtomicFetchAndAdd, WrOpcode::kAtomicCmpAndSwp}) {
    ASSERT_EQ(pair_.Post(pair_.Make(opcode, wr_id++, 8)), 0);
  }
  EXPECT_TRUE(pair_.near.wire.packets.empty());
  RunInSteps();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk), Pair(2, kOk), Pair(3, kOk), Pair(4, kOk),
                                      Pair(5, kOk), Pair(6, kOk)));
  EXPECT_THAT(PollFar(), ElementsAre(Pair(7, kOk), Pair(8, kOk)));
  EXPECT_EQ(pair_.remote().text(0, 8), "abcdefgh");
  EXPECT_EQ(pair_.remote().text(100, 8), "abcdefgh");
  EXPECT_FALSE(pair_.near.fabric.busy());
  EXPECT_FALSE(pair_.far.fabric.busy());
}

TEST_F(FabricFarInSteps, AWriteMayBeAcknowledgedBeforeItIsPlaced) {
  pair_.local().Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));
  pair_.near.fabric.RunInOrder();
  pair_.near.wire.DeliverOne(pair_.far.fabric);
  const auto take = [&](StepKind kind) {
    for (const Step& step : pair_.far.fabric.EnabledSteps()) {
      if (step.kind == kind) return pair_.far.fabric.Take(step);
    }
    FAIL() << "no such step";
  };
  take(StepKind::kDeliver);
  take(StepKind::kAcknowledge);
  pair_.far.wire.DeliverOne(pair_.near.fabric);
  pair_.near.fabric.RunInOrder();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk)));
  EXPECT_EQ(pair_.remote().text(0, 8), std::string(8, '\0'));
  pair_.far.fabric.RunInOrder();
  EXPECT_EQ(pair_.remote().text(0, 8), "abcdefgh");
}

TEST_F(FabricFarInSteps, ARefusedMessageFailsBothEnds) {
  pair_.Post(pair_.Write(1, 8));
  SendWr wr = pair_.Write(2, 8);
  wr.rkey ^= 1;
  pair_.Post(wr);
  pair_.Post(pair_.Write(3, 8));
  RunInSteps();

  EXPECT_THAT(PollNear(),
              ElementsAre(Pair(1, kOk), Pair(2, WcStatus::kRemAccessErr), Pair(3, kFlush)));
  EXPECT_EQ(FarState(), QpState::kErr);
  EXPECT_FALSE(pair_.far.fabric.busy()) << "what came after it is dropped";
}

TEST_F(FabricFarInSteps, AResponderThatIsResetWhileMessagesWaitForgetsThem) {
  pair_.Post(pair_.Write(1, 8));
  pair_.near.fabric.RunInOrder();
  pair_.near.wire.DeliverOne(pair_.far.fabric);
  pair_.far.fabric.ModifyQp(*pair_.remote().qp, {}, qp_mask::kState);

  EXPECT_FALSE(pair_.far.fabric.busy());
  pair_.Advance(kBudgetNs + 1);
  pair_.near.fabric.RunInOrder();
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kRetryExcErr)));
}

}  // namespace
}  // namespace fakenic
