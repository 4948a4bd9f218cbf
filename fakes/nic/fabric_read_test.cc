// Reads: what lands, how they fail, and how they are ordered with writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "nic/fabric.h"
#include "nic/test_schedules.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

using enum WcStatus;

TEST(EagerRead, LandsTheRemoteBytesAndTellsTheirNumber) {
  TestPair pair;
  pair.remote.Fill("abcdefgh");

  EXPECT_EQ(pair.Post(pair.Read(7, 5)), 0);

  EXPECT_EQ(pair.local.text(0, 6), std::string("abcde\0", 6));
  const Completion& completion = pair.fabric.Poll(*pair.local.cq);
  EXPECT_EQ(completion.wr_id, 7u);
  EXPECT_EQ(completion.status, kSuccess);
  EXPECT_EQ(completion.opcode, WcOpcode::kRdmaRead);
  EXPECT_EQ(completion.byte_len, 5u);
  EXPECT_THAT(pair.Poll(pair.remote), IsEmpty());
}

TEST(EagerRead, ScattersOverItsSges) {
  TestPair pair;
  pair.remote.Fill("abcdefgh");
  const std::array<Sge, 2> sges{
      {{pair.local.addr(16), 3, pair.local.mr->key}, {pair.local.addr(32), 5, pair.local.mr->key}}};
  SendWr wr = pair.Read(1, 0);
  wr.sges = sges;

  pair.Post(wr);

  EXPECT_EQ(pair.local.text(16, 3), "abc");
  EXPECT_EQ(pair.local.text(32, 5), "defgh");
}

TEST(EagerRead, AnEmptyReadSucceedsWhateverItsKeys) {
  TestPair pair;
  SendWr wr = pair.Read(1, 0);
  wr.rkey = pair.sge.lkey = 0xbad;

  pair.Post(wr);

  EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(1, kSuccess)));
}

// Programs of a read and a write on one queue pair, step by step.
class ReadStepsTest : public StepByStep {
 protected:
  // An inline write of these bytes to the start of the remote memory, with more flags.
  void PostInline(uint64_t wr_id, const char* bytes, uint32_t flags = 0) {
    const Sge sge{reinterpret_cast<uint64_t>(bytes), 8, 0};
    pair_.Post({wr_id,
                WrOpcode::kRdmaWrite,
                send_flag::kSignaled | send_flag::kInline | flags,
                {&sge, 1},
                pair_.remote.addr(0),
                pair_.remote.mr->key});
  }
};

TEST_F(ReadStepsTest, AReadSeesTheWritesBeforeIt) {
  PostInline(1, "ABCDEFGH");
  pair_.Post(pair_.Read(2, 8));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kDeliver, 2);

  EXPECT_FALSE(Find(StepKind::kExecute, 2)) << "it pushes the write before it";
  Take(StepKind::kPlace, 1);
  pair_.fabric.RunInOrder();

  EXPECT_EQ(pair_.local.text(0, 8), "ABCDEFGH");
}

TEST_F(ReadStepsTest, ALaterWriteMayBePlacedBeforeTheReadIsExecuted) {
  pair_.remote.Fill("abcdefgh");
  pair_.Post(pair_.Read(1, 8));
  PostInline(2, "ABCDEFGH");
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kDeliver, 2);

  Take(StepKind::kPlace, 2);
  pair_.fabric.RunInOrder();

  EXPECT_EQ(pair_.local.text(0, 8), "ABCDEFGH");
  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, kSuccess), Pair(2, kSuccess)));
}

TEST_F(ReadStepsTest, AFencedWriteWaitsUntilTheReadHasLanded) {
  pair_.remote.Fill("abcdefgh");
  pair_.Post(pair_.Read(1, 8));
  PostInline(2, "ABCDEFGH", send_flag::kFence);
  Take(StepKind::kDeliver, 1);
  EXPECT_FALSE(Find(StepKind::kDeliver, 2));
  Take(StepKind::kExecute, 1);
  Take(StepKind::kAcknowledge, 1);
  EXPECT_FALSE(Find(StepKind::kDeliver, 2));

  Take(StepKind::kLand, 1);
  EXPECT_TRUE(Find(StepKind::kDeliver, 2));
  pair_.fabric.RunInOrder();

  EXPECT_EQ(pair_.local.text(0, 8), "abcdefgh");
}

TEST_F(ReadStepsTest, AWriteMayReadItsSourceBeforeAnEarlierReadLandsThere) {
  pair_.local.Fill("old-----");
  pair_.remote.Fill("new-----");
  pair_.Post(pair_.Read(1, 8));
  SendWr write = pair_.Write(2, 8);
  write.remote_addr = pair_.remote.addr(64);
  pair_.Post(write);

  Take(StepKind::kFetch, 2);
  pair_.fabric.RunInOrder();

  EXPECT_EQ(pair_.remote.text(64, 8), "old-----");
  EXPECT_EQ(pair_.local.text(0, 8), "new-----");
}

TEST_F(ReadStepsTest, TheCompletionComesBehindTheData) {
  pair_.remote.Fill("abcdefgh");
  pair_.Post(pair_.Read(1, 8));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kExecute, 1);
  Take(StepKind::kAcknowledge, 1);

  EXPECT_FALSE(Find(StepKind::kComplete, 1));
  Take(StepKind::kLand, 1);

  EXPECT_TRUE(Find(StepKind::kComplete, 1));
}

TEST_F(ReadStepsTest, WhatWasAcknowledgedBehindAReadThatNeverLandsIsFlushedWithIt) {
  pair_.Post(pair_.Read(1, 8));
  PostInline(2, "ABCDEFGH", 0);
  for (const uint64_t wr_id : {1, 2}) Take(StepKind::kDeliver, wr_id);
  Take(StepKind::kExecute, 1);
  for (const uint64_t wr_id : {1, 2}) Take(StepKind::kAcknowledge, wr_id);

  QpAttr attr;
  attr.state = QpState::kErr;
  pair_.fabric.ModifyQp(*pair_.local.qp, attr, qp_mask::kState);
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local),
              ElementsAre(Pair(1, WcStatus::kWrFlushErr), Pair(2, WcStatus::kWrFlushErr)));
}

TEST_F(ReadStepsTest, NoMoreReadsTravelThanMaxRdAtomic) {
  for (uint64_t wr_id : {1, 2, 3}) pair_.Post(pair_.Read(wr_id, 8));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kDeliver, 2);
  EXPECT_FALSE(Find(StepKind::kDeliver, 3));

  Take(StepKind::kExecute, 1);
  Take(StepKind::kAcknowledge, 1);
  Take(StepKind::kLand, 1);

  EXPECT_TRUE(Find(StepKind::kDeliver, 3));
}

TEST_F(ReadStepsTest, ARegionThatGoesBeforeTheReadIsExecutedIsAnAccessError) {
  pair_.Post(pair_.Read(1, 8));
  Take(StepKind::kDeliver, 1);

  pair_.context.DeregMr(pair_.remote.mr->handle);
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, WcStatus::kRemAccessErr)));
}

TEST_F(ReadStepsTest, ARepeatedReadReturnsNewerBytes) {
  pair_.fabric.set_messages_repeat(true);
  pair_.remote.Fill("old-----");
  pair_.Post(pair_.Read(1, 8));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kExecute, 1);

  Take(StepKind::kRepeat, 1);
  pair_.remote.Fill("new-----");
  pair_.fabric.RunInOrder();

  EXPECT_EQ(pair_.local.text(0, 8), "new-----");
  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, kSuccess)));
}

TEST_F(ReadStepsTest, AMessageIsRepeatedOnceAtMostAndOnlyIfThatIsAllowed) {
  pair_.Post(pair_.Read(1, 8));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kExecute, 1);
  EXPECT_FALSE(Find(StepKind::kRepeat, 1));
  pair_.fabric.set_messages_repeat(true);
  Take(StepKind::kRepeat, 1);
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kExecute, 1);

  EXPECT_FALSE(Find(StepKind::kRepeat, 1));
}

TEST_F(ReadStepsTest, AResponderThatGoesBeforeTheReadIsExecutedIsWaitedFor) {
  pair_.Post(pair_.Read(1, 8));
  Take(StepKind::kDeliver, 1);
  pair_.context.DestroyQp(pair_.remote.qp->handle);

  pair_.fabric.RunInOrder();
  EXPECT_THAT(pair_.Poll(pair_.local), IsEmpty());
  pair_.clock.now += uint64_t{1} << 40;
  pair_.fabric.FireTimers();
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, WcStatus::kRetryExcErr)));
}

TEST_F(ReadStepsTest, AfterTheFlushNothingLandsAnyMore) {
  pair_.remote.Fill("abcdefgh");
  pair_.Post(pair_.Read(1, 8));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kExecute, 1);
  Take(StepKind::kAcknowledge, 1);
  QpAttr attr;
  attr.state = QpState::kErr;

  pair_.fabric.ModifyQp(*pair_.local.qp, attr, qp_mask::kState);
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, WcStatus::kWrFlushErr)));
  EXPECT_EQ(pair_.local.text(0, 8), std::string(8, '\0'));
}

}  // namespace
}  // namespace fakenic
