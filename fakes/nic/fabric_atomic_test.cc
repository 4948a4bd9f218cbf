// Atomics: their effect, their failures, and what they are atomic against.
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

uint64_t WordAt(const TestEnd& end, size_t offset) {
  uint64_t word;
  std::memcpy(&word, end.memory.data() + offset, sizeof word);
  return word;
}

void SetWord(TestEnd& end, size_t offset, uint64_t word) {
  std::memcpy(end.memory.data() + offset, &word, sizeof word);
}

// Signaled, on the first remote word, its old value into the first local word.
SendWr FetchAdd(TestPair& pair, uint64_t wr_id, uint64_t add) {
  SendWr wr = pair.Write(wr_id, 8);
  wr.opcode = WrOpcode::kAtomicFetchAndAdd;
  wr.compare_add = add;
  return wr;
}

SendWr CmpSwp(TestPair& pair, uint64_t wr_id, uint64_t compare, uint64_t swap) {
  SendWr wr = FetchAdd(pair, wr_id, compare);
  wr.opcode = WrOpcode::kAtomicCmpAndSwp;
  wr.swap = swap;
  return wr;
}

using AtomicTest = BothSchedules;

INSTANTIATE_TEST_SUITE_P(Schedule, AtomicTest, testing::Bool(), ScheduleOf);

TEST_P(AtomicTest, FetchAndAddAddsAndReturnsWhatItFound) {
  SetWord(pair_.remote, 0, 0xffffffffffffffff);

  PostAndRun(FetchAdd(pair_, 7, 3));

  EXPECT_EQ(WordAt(pair_.remote, 0), 2u) << "64 bits, wrapping";
  EXPECT_EQ(WordAt(pair_.local, 0), 0xffffffffffffffff);
  const Completion& completion = pair_.fabric.Poll(*pair_.local.cq);
  EXPECT_EQ(completion.wr_id, 7u);
  EXPECT_EQ(completion.opcode, WcOpcode::kFetchAdd);
  EXPECT_EQ(completion.byte_len, 8u);
}

TEST_P(AtomicTest, CompareAndSwapStoresOnlyWhenItFindsWhatItCompares) {
  SetWord(pair_.remote, 0, 5);

  PostAndRun(CmpSwp(pair_, 1, /*compare=*/4, /*swap=*/9));
  EXPECT_EQ(WordAt(pair_.remote, 0), 5u);
  EXPECT_EQ(WordAt(pair_.local, 0), 5u);
  PostAndRun(CmpSwp(pair_, 2, /*compare=*/5, /*swap=*/9));

  EXPECT_EQ(WordAt(pair_.remote, 0), 9u);
  EXPECT_EQ(WordAt(pair_.local, 0), 5u);
  EXPECT_EQ(pair_.fabric.Poll(*pair_.local.cq).opcode, WcOpcode::kCompSwap);
}

TEST_P(AtomicTest, TheResultMayBeSplitOverSges) {
  SetWord(pair_.remote, 0, 0x1122334455667788);
  const std::array<Sge, 2> sges{{{pair_.local.addr(16), 4, pair_.local.mr->key},
                                 {pair_.local.addr(32), 4, pair_.local.mr->key}}};
  SendWr wr = FetchAdd(pair_, 1, 0);
  wr.sges = sges;

  PostAndRun(wr);

  EXPECT_EQ(WordAt(pair_.local, 16), 0x55667788u);
  EXPECT_EQ(WordAt(pair_.local, 32), 0x11223344u);
}

TEST_P(AtomicTest, NeedsNoRightButRemoteAtomic) {
  pair_.remote.mr->access = access_flag::kRemoteAtomic | access_flag::kLocalWrite;
  pair_.remote.qp->attr().access_flags = access_flag::kRemoteAtomic;

  PostAndRun(FetchAdd(pair_, 1, 1));

  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, kSuccess)));
}

TEST_P(AtomicTest, ABadLocalKeyIsFoundWhenTheRemoteWordHasChanged) {
  SendWr wr = FetchAdd(pair_, 1, 3);
  pair_.sge.lkey = 1;

  PostAndRun(wr);

  EXPECT_EQ(WordAt(pair_.remote, 0), 3u);
  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, WcStatus::kLocProtErr)));
  EXPECT_EQ(pair_.remote.qp->state(), QpState::kRts);
}

// A second requester beside the local one, to the same responder memory.
class TwoAtomicsTest : public StepByStep {
 protected:
  TwoAtomicsTest() {
    Connect(pair_.fabric, *other_, other_remote_->num);
    Connect(pair_.fabric, *other_remote_, other_->num);
  }

  Qp* MakeQp(const TestEnd& end) {
    return pair_.context
        .CreateQp(end.pd->handle, end.cq->handle, end.cq->handle, {2, 0, 1, 0, 0}, false)
        .object;
  }

  Qp* other_ = MakeQp(pair_.local);
  Qp* other_remote_ = MakeQp(pair_.remote);
};

TEST_F(TwoAtomicsTest, ReadAndWriteOfOneHaveNothingOfAnotherBetweenThem) {
  pair_.Post(FetchAdd(pair_, 1, 1));
  pair_.fabric.PostSend(*other_, FetchAdd(pair_, 2, 1));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kDeliver, 2);
  Take(StepKind::kExecute, 1);

  EXPECT_FALSE(Find(StepKind::kExecute, 2));
  Take(StepKind::kPlace, 1);
  pair_.fabric.RunInOrder();

  EXPECT_EQ(WordAt(pair_.remote, 0), 2u);
}

TEST_F(TwoAtomicsTest, AProcessorsStoreBetweenThemIsLost) {
  pair_.Post(FetchAdd(pair_, 1, 1));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kExecute, 1);
  SetWord(pair_.remote, 0, 100);
  pair_.fabric.RunInOrder();

  EXPECT_EQ(WordAt(pair_.remote, 0), 1u);
}

TEST_F(TwoAtomicsTest, AnAtomicUnderWayIsFinishedWhenItsRequesterGoes) {
  pair_.Post(FetchAdd(pair_, 1, 1));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kExecute, 1);

  pair_.context.DestroyQp(pair_.local.qp->handle);
  pair_.fabric.PostSend(*other_, FetchAdd(pair_, 2, 1));
  pair_.fabric.RunInOrder();

  EXPECT_EQ(WordAt(pair_.remote, 0), 2u);
}

TEST_F(TwoAtomicsTest, IsExecutedOnceEvenIfItsAnswerIsLost) {
  pair_.fabric.set_messages_repeat(true);
  pair_.Post(FetchAdd(pair_, 1, 1));
  for (std::vector<Step> steps; !(steps = pair_.fabric.EnabledSteps()).empty();) {
    for (const Step& step : steps) EXPECT_NE(step.kind, StepKind::kRepeat);
    pair_.fabric.Take(steps.back());
  }

  EXPECT_EQ(WordAt(pair_.remote, 0), 1u);
}

TEST_F(TwoAtomicsTest, IsExecutedBehindTheWritesBeforeIt) {
  static const uint64_t ten = 10;
  const Sge sge{reinterpret_cast<uint64_t>(&ten), 8, 0};
  pair_.Post({1,
              WrOpcode::kRdmaWrite,
              send_flag::kInline,
              {&sge, 1},
              pair_.remote.addr(0),
              pair_.remote.mr->key});
  pair_.Post(FetchAdd(pair_, 2, 1));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kDeliver, 2);

  EXPECT_FALSE(Find(StepKind::kExecute, 2));
  pair_.fabric.RunInOrder();

  EXPECT_EQ(WordAt(pair_.local, 0), 10u);
  EXPECT_EQ(WordAt(pair_.remote, 0), 11u);
}

TEST_F(TwoAtomicsTest, MoreAtOnceThanTheResponderAllowsIsAnInvalidRequest) {
  pair_.remote.qp->attr().max_dest_rd_atomic = 1;
  pair_.Post(FetchAdd(pair_, 1, 1));
  pair_.Post(pair_.Read(2, 8));
  Take(StepKind::kDeliver, 1);
  Take(StepKind::kDeliver, 2);
  pair_.fabric.RunInOrder();

  EXPECT_EQ(pair_.remote.qp->state(), QpState::kErr);
  EXPECT_THAT(pair_.local.qp->first_cause, HasSubstr("max_dest_rd_atomic is 1"));
}

}  // namespace
}  // namespace fakenic
