// Messages between two fabrics: every operation, every failure, time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/test_far_pair.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST_F(FabricFar, AWriteIsPlacedBeforeItsCompletionIsThere) {
  pair_.local().Fill("abcdefgh");
  ASSERT_EQ(pair_.Post(pair_.Write(1, 8)), 0);
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.near.wire.DeliverOne(pair_.far.fabric);
  EXPECT_EQ(pair_.remote().text(0, 8), "abcdefgh");
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.Run();
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk)));
}

TEST_F(FabricFar, AnUnsignaledWriteLeavesNoTraceButItsBytes) {
  pair_.local().Fill("abcd");
  pair_.Post(pair_.Write(1, 4, 0));
  pair_.Run();

  EXPECT_EQ(pair_.remote().text(0, 4), "abcd");
  EXPECT_THAT(PollNear(), IsEmpty());
  EXPECT_TRUE(pair_.local().qp->outstanding.empty());
}

TEST_F(FabricFar, InlineBytesAreThoseOfThePost) {
  pair_.local().Fill("abcd");
  pair_.near.wire.room = 0;
  pair_.Post(pair_.Write(1, 4, send_flag::kSignaled | send_flag::kInline));
  pair_.local().Fill("wxyz");
  pair_.near.wire.room = SIZE_MAX;
  pair_.Run();

  EXPECT_EQ(pair_.remote().text(0, 4), "abcd");
}

TEST_F(FabricFar, AReadLandsAndCompletesWithItsLength) {
  pair_.remote().Fill("abcdefgh");
  pair_.Post(pair_.Make(WrOpcode::kRdmaRead, 1, 8));
  pair_.Run();

  EXPECT_EQ(pair_.local().text(0, 8), "abcdefgh");
  ASSERT_EQ(pair_.local().cq->size(), 1u);
  EXPECT_EQ(pair_.near.fabric.Poll(*pair_.local().cq).byte_len, 8u);
}

TEST_F(FabricFar, AnAtomicAddsThereAndReturnsWhatWasThere) {
  pair_.remote().Fill(std::string("\x05\0\0\0\0\0\0\0", 8));
  SendWr wr = pair_.Make(WrOpcode::kAtomicFetchAndAdd, 1, 8);
  wr.compare_add = 3;
  pair_.Post(wr);
  pair_.Run();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk)));
  EXPECT_EQ(pair_.remote().text(0, 1), "\x08");
  EXPECT_EQ(pair_.local().text(0, 1), "\x05");
}

TEST_F(FabricFar, ACompareAndSwapStoresOnlyWhatItWasToFind) {
  pair_.remote().Fill(std::string("\x05\0\0\0\0\0\0\0", 8));
  for (const uint64_t compare : {4, 5}) {
    SendWr wr = pair_.Make(WrOpcode::kAtomicCmpAndSwp, compare, 8);
    wr.compare_add = compare;
    wr.swap = 9;
    pair_.Post(wr);
    pair_.Run();
    EXPECT_EQ(pair_.remote().text(0, 1), compare == 5 ? "\x09" : "\x05");
  }
}

TEST_F(FabricFar, ASendTakesAReceiveAndTellsWhatItIs) {
  pair_.local().Fill("abcd");
  pair_.PostRecv(7, 100, 8);
  pair_.Post(pair_.Make(WrOpcode::kSendWithImm, 1, 4));
  pair_.Run();

  EXPECT_EQ(pair_.remote().text(100, 4), "abcd");
  ASSERT_EQ(pair_.remote().cq->size(), 1u);
  const Completion& received = pair_.far.fabric.Poll(*pair_.remote().cq);
  EXPECT_EQ(received.wr_id, 7u);
  EXPECT_EQ(received.byte_len, 4u);
  EXPECT_EQ(received.imm_data, 0x12345678u);
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk)));
}

TEST_F(FabricFar, AWriteWithImmediateDataTakesAReceiveAndNotItsBuffers) {
  pair_.local().Fill("abcd");
  pair_.PostRecv(7, 100, 8);
  pair_.Post(pair_.Make(WrOpcode::kRdmaWriteWithImm, 1, 4));
  pair_.Run();

  EXPECT_EQ(pair_.remote().text(0, 4), "abcd");
  EXPECT_EQ(pair_.remote().text(100, 4), std::string(4, '\0'));
  EXPECT_THAT(PollFar(), ElementsAre(Pair(7, kOk)));
}

TEST_F(FabricFar, WhatComesBeforeTheResponderIsReadyIsAskedForWhenItIs) {
  FarPair fresh;
  fresh.far.fabric.ModifyQp(*fresh.remote().qp, {}, qp_mask::kState);
  fresh.local().Fill("abcdefgh");
  fresh.Post(fresh.Write(1, 4));
  fresh.Post(fresh.Write(2, 8));
  fresh.Run();
  EXPECT_THAT(FarPair::Poll(fresh.near), IsEmpty());

  Connect(fresh.far.fabric, *fresh.remote().qp, fresh.local().qp->num);
  fresh.Run();

  EXPECT_THAT(FarPair::Poll(fresh.near), ElementsAre(Pair(1, kOk), Pair(2, kOk)));
  EXPECT_EQ(fresh.remote().text(0, 8), "abcdefgh");
}

TEST_F(FabricFar, ASendWithoutAReceiveWaitsForOneAndWhatComesAfterItToo) {
  pair_.local().Fill("abcdefgh");
  pair_.Post(pair_.Make(WrOpcode::kSend, 1, 4));
  pair_.Post(pair_.Write(2, 8));
  pair_.Run();
  EXPECT_EQ(pair_.remote().text(0, 8), std::string(8, '\0'));

  pair_.PostRecv(7, 100, 8);
  pair_.Run();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk), Pair(2, kOk)));
  EXPECT_THAT(PollFar(), ElementsAre(Pair(7, kOk)));
  EXPECT_EQ(pair_.remote().text(0, 8), "abcdefgh");
}

TEST_F(FabricFar, WithoutAReceiveTheRetriesEndAndTheResponderStays) {
  pair_.Post(pair_.Make(WrOpcode::kSend, 1, 4));
  pair_.Post(pair_.Write(2, 8));
  pair_.Run();
  pair_.Advance(3 * 640'000 - 1);
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.Advance(2);

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kRnrRetryExcErr), Pair(2, kFlush)));
  EXPECT_EQ(NearState(), QpState::kErr);
  EXPECT_EQ(FarState(), QpState::kRts);
  pair_.PostRecv(7, 100, 8);
  pair_.Run();
  EXPECT_THAT(PollFar(), IsEmpty()) << "nobody sends again";
}

TEST_F(FabricFar, ASilentPeerEndsTheRetries) {
  pair_.Post(pair_.Write(1, 8));
  pair_.Post(pair_.Write(2, 8));
  pair_.near.wire.packets.clear();
  pair_.Advance(kBudgetNs - 1);
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.Advance(2);

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kRetryExcErr), Pair(2, kFlush)));
  EXPECT_FALSE(pair_.near.fabric.awaits_remote());
}

TEST_F(FabricFar, APeerThatCannotRunGetsARespite) {
  pair_.near.wire.starved = true;
  pair_.Post(pair_.Write(1, 8));
  pair_.Advance(8 * kBudgetNs);
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.Run();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kSuccess)));
}

TEST_F(FabricFar, ButNotForEver) {
  pair_.near.wire.starved = true;
  pair_.Post(pair_.Write(1, 8));
  for (int i = 0; i < 8; ++i) pair_.Advance(kBudgetNs + 1);
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.Advance(kBudgetNs + 1);

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kRetryExcErr)));
}

TEST_F(FabricFar, APeerInErrorIsSilent) {
  QpAttr error;
  error.state = QpState::kErr;
  pair_.far.fabric.ModifyQp(*pair_.remote().qp, error, qp_mask::kState);
  pair_.Post(pair_.Write(1, 8));
  pair_.Run();
  EXPECT_TRUE(pair_.far.wire.packets.empty());

  pair_.Advance(kBudgetNs + 1);
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kRetryExcErr)));
}

TEST_F(FabricFar, ReadsBeyondTheDepthWaitForThoseBefore) {
  for (uint64_t i = 1; i <= 4; ++i) pair_.Post(pair_.Make(WrOpcode::kRdmaRead, i, 8));
  EXPECT_EQ(pair_.near.wire.packets.size(), 2u);

  pair_.Run();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk), Pair(2, kOk), Pair(3, kOk), Pair(4, kOk)));
}

TEST_F(FabricFar, AFencedMessageWaitsForTheReadsBefore) {
  pair_.Post(pair_.Make(WrOpcode::kRdmaRead, 1, 8));
  pair_.Post(pair_.Write(2, 8, send_flag::kSignaled | send_flag::kFence));
  EXPECT_EQ(pair_.near.wire.packets.size(), 1u);

  pair_.Run();
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk), Pair(2, kOk)));
}

TEST_F(FabricFar, AScheduleThatChangesMidwayLosesNothing) {
  pair_.local().Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));
  pair_.Post(pair_.Make(WrOpcode::kRdmaRead, 2, 8));
  pair_.near.fabric.set_eager(false);
  pair_.Run();
  EXPECT_THAT(PollNear(), IsEmpty());
  pair_.near.fabric.set_eager(true);
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk), Pair(2, kOk)));

  pair_.Post(pair_.Write(3, 8));
  pair_.Run();
  EXPECT_THAT(PollNear(), ElementsAre(Pair(3, kOk)));
}

TEST_F(FabricFar, ADestroyedQueuePairLeavesNoTimer) {
  pair_.Post(pair_.Write(1, 8));
  pair_.near.context.DestroyQp(pair_.local().qp->handle);
  pair_.Run();
  pair_.Advance(kBudgetNs + 1);

  EXPECT_FALSE(pair_.near.fabric.awaits_remote());
}

TEST_F(FabricFar, AQueuePairThatIsConnectedAgainGoesOnWithAPeerThatWasNot) {
  pair_.Post(pair_.Make(WrOpcode::kSend, 1, 4));
  pair_.Run();
  pair_.Advance(10'000'000);  // the RNR retries end
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, WcStatus::kRnrRetryExcErr)));
  pair_.near.fabric.ModifyQp(*pair_.local().qp, {}, qp_mask::kState);
  Connect(pair_.near.fabric, *pair_.local().qp, pair_.remote().qp->num);
  pair_.local().Fill("abcd");

  pair_.Post(pair_.Write(2, 4));
  pair_.Run();

  EXPECT_THAT(PollNear(), ElementsAre(Pair(2, kOk)));
  EXPECT_EQ(pair_.remote().text(0, 4), "abcd");
}

TEST_F(FabricFar, AnAnswerThatNobodyWaitsForIsDropped) {
  PacketHeader stray{.kind = PacketKind::kAnswer,
                     .from_qp = pair_.remote().qp->num,
                     .to_qp = pair_.local().qp->num,
                     .sequence = 0};
  pair_.near.fabric.Arrive(stray, {});
  pair_.Post(pair_.Make(WrOpcode::kRdmaRead, 1, 8));
  stray.length = 100;  // longer than what was asked for
  std::vector<std::byte> bytes(100);
  stray.payload = 100;
  pair_.near.fabric.Arrive(stray, bytes);
  EXPECT_THAT(PollNear(), IsEmpty());

  pair_.Run();
  EXPECT_THAT(PollNear(), ElementsAre(Pair(1, kOk)));
}

}  // namespace
}  // namespace fakenic
