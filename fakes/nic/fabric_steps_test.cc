// Messages step by step: which steps the order rules enable, and what each of them shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "nic/fabric.h"
#include "nic/test_schedules.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class FabricStepsTest : public StepByStep {
 protected:
  // Brings a message to the responder.
  void Send(uint64_t wr_id) {
    Take(StepKind::kFetch, wr_id);
    Take(StepKind::kDeliver, wr_id);
  }
};

TEST_F(FabricStepsTest, NothingMovesUntilAStepIsTaken) {
  pair_.local.Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));

  EXPECT_EQ(pair_.remote.text(0, 8), std::string(8, '\0'));
  EXPECT_THAT(pair_.Poll(pair_.local), IsEmpty());
  EXPECT_EQ(pair_.fabric.EnabledSteps().size(), 1u);
}

TEST_F(FabricStepsTest, ASourceIsReadLate) {
  pair_.local.Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));
  pair_.local.Fill("ABCDEFGH");

  pair_.fabric.RunInOrder();

  EXPECT_EQ(pair_.remote.text(0, 8), "ABCDEFGH");
}

TEST_F(FabricStepsTest, InlineDataIsReadAtThePost) {
  pair_.local.Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8, send_flag::kSignaled | send_flag::kInline));
  pair_.local.Fill("ABCDEFGH");

  pair_.fabric.RunInOrder();

  EXPECT_EQ(pair_.remote.text(0, 8), "abcdefgh");
}

TEST_F(FabricStepsTest, ACompletionDoesNotMeanThatTheBytesArePlaced) {
  pair_.local.Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));

  Send(1);
  Take(StepKind::kAcknowledge, 1);
  Take(StepKind::kComplete, 1);

  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, WcStatus::kSuccess)));
  EXPECT_EQ(pair_.remote.text(0, 8), std::string(8, '\0'));
  Take(StepKind::kPlace, 1);
  EXPECT_EQ(pair_.remote.text(0, 8), "abcdefgh");
}

TEST_F(FabricStepsTest, ThePiecesOfAMessageArriveInAnyOrderButNoAlignedWordIsTorn) {
  pair_.local.Fill("abcdefghijklmnopqrstuvwx");
  SendWr wr = pair_.Write(1, 20);
  wr.remote_addr = pair_.remote.addr(4);
  pair_.Post(wr);
  Send(1);

  Take(StepKind::kPlace, 1, /*piece=*/2);

  EXPECT_EQ(pair_.remote.text(0, 24), std::string(16, '\0').append("mnopqrst"));
  Take(StepKind::kPlace, 1, /*piece=*/1);
  EXPECT_EQ(pair_.remote.text(0, 24), std::string(8, '\0').append("efghijklmnopqrst"));
}

TEST_F(FabricStepsTest, AnAlignedWordIsPlacedInOneStep) {
  pair_.local.Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));
  Send(1);

  Take(StepKind::kPlace, 1);

  EXPECT_EQ(pair_.remote.text(0, 8), "abcdefgh");
}

TEST_F(FabricStepsTest, WritesOfOneQueuePairArePlacedInPostingOrder) {
  pair_.Post(pair_.Write(1, 8));
  pair_.Post(pair_.Write(2, 8));
  Send(1);
  Send(2);

  EXPECT_FALSE(Find(StepKind::kPlace, 2));
  Take(StepKind::kPlace, 1);

  EXPECT_TRUE(Find(StepKind::kPlace, 2));
}

TEST_F(FabricStepsTest, ALaterSourceMayBeReadWhileAnEarlierMessageTravels) {
  pair_.Post(pair_.Write(1, 8));
  pair_.Post(pair_.Write(2, 8));
  EXPECT_FALSE(Find(StepKind::kFetch, 2)) << "sources are read in posting order";

  Take(StepKind::kFetch, 1);

  EXPECT_TRUE(Find(StepKind::kFetch, 2));
  EXPECT_TRUE(Find(StepKind::kDeliver, 1));
}

TEST_F(FabricStepsTest, RequestsCompleteInPostingOrder) {
  pair_.Post(pair_.Write(1, 8));
  pair_.Post(pair_.Write(2, 8));
  Send(1);
  Send(2);
  Take(StepKind::kAcknowledge, 1);
  Take(StepKind::kAcknowledge, 2);

  EXPECT_FALSE(Find(StepKind::kComplete, 2));
  Take(StepKind::kComplete, 1);
  Take(StepKind::kComplete, 2);

  EXPECT_THAT(pair_.Poll(pair_.local),
              ElementsAre(Pair(1, WcStatus::kSuccess), Pair(2, WcStatus::kSuccess)));
}

TEST_F(FabricStepsTest, ALocalErrorLeavesEarlierRequestsTheirSuccess) {
  pair_.Post(pair_.Write(1, 8));
  SendWr bad = pair_.Write(2, 8);
  pair_.sge.lkey = 1;
  pair_.Post(bad);
  Take(StepKind::kFetch, 1);
  Take(StepKind::kFetch, 2);
  EXPECT_EQ(pair_.local.qp->state(), QpState::kErr);

  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local),
              ElementsAre(Pair(1, WcStatus::kSuccess), Pair(2, WcStatus::kLocProtErr)));
}

TEST_F(FabricStepsTest, MovingToErrFlushesWhatIsUnansweredAndStillPlacesWhatArrived) {
  pair_.local.Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));
  pair_.Post(pair_.Write(2, 8));
  Send(1);
  QpAttr attr;
  attr.state = QpState::kErr;

  pair_.fabric.ModifyQp(*pair_.local.qp, attr, qp_mask::kState);
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local),
              ElementsAre(Pair(1, WcStatus::kWrFlushErr), Pair(2, WcStatus::kWrFlushErr)));
  EXPECT_EQ(pair_.remote.text(0, 8), "abcdefgh");
}

TEST_F(FabricStepsTest, DeregistrationEndsAllAccessToTheRegion) {
  pair_.local.Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));
  Send(1);

  pair_.context.DeregMr(pair_.remote.mr->handle);
  EXPECT_EQ(pair_.remote.text(0, 8), "abcdefgh") << "what had arrived is placed by then";
  pair_.remote.Fill("________");
  pair_.fabric.RunInOrder();

  EXPECT_EQ(pair_.remote.text(0, 8), "________");
}

TEST_F(FabricStepsTest, ADestroyedQueuePairCompletesNothingButItsArrivedBytesArePlaced) {
  pair_.local.Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));
  Send(1);

  pair_.context.DestroyQp(pair_.local.qp->handle);
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local), IsEmpty());
  EXPECT_EQ(pair_.remote.text(0, 8), "abcdefgh");
  EXPECT_TRUE(pair_.fabric.EnabledSteps().empty());
}

TEST_F(FabricStepsTest, ASuspendedSendQueueWaits) {
  using namespace qp_mask;
  QpAttr attr;
  attr.state = QpState::kSqd;
  pair_.fabric.ModifyQp(*pair_.local.qp, attr, kState);
  pair_.Post(pair_.Write(1, 8));
  EXPECT_TRUE(pair_.fabric.EnabledSteps().empty());

  attr.state = QpState::kRts;
  pair_.fabric.ModifyQp(*pair_.local.qp, attr, kState);
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, WcStatus::kSuccess)));
}

// A queue pair beside the local one, connected to the remote end, whose CQ has a channel and is
// armed.
class CompletionEventTest : public FabricStepsTest {
 protected:
  CompletionEventTest() {
    Connect(pair_.fabric, *qp, pair_.remote.qp->num);
    pair_.remote.qp->attr().dest_qp_num = qp->num;
    cq->RequestNotify(false);
  }

  CompChannel* channel = pair_.context.CreateCompChannel();
  Cq* cq = pair_.context.CreateCq(4, channel).object;
  Qp* qp =
      pair_.context.CreateQp(pair_.local.pd->handle, cq->handle, cq->handle, {2, 1, 1, 1, 0}, false)
          .object;
};

TEST_F(CompletionEventTest, RaisingTheEventIsAStepOfItsOwn) {
  pair_.fabric.PostSend(*qp, pair_.Write(1, 8));
  while (cq->size() == 0) pair_.fabric.Take(pair_.fabric.EnabledSteps().back());

  EXPECT_TRUE(channel->events.empty());
  pair_.fabric.RunInOrder();

  EXPECT_EQ(channel->events.size(), 1u);
}

TEST_F(CompletionEventTest, TurningEagerRaisesWhatIsOwedOnce) {
  pair_.fabric.PostSend(*qp, pair_.Write(1, 8));
  pair_.fabric.PostSend(*qp, pair_.Write(2, 8));
  while (cq->size() == 0) pair_.fabric.Take(pair_.fabric.EnabledSteps().back());

  pair_.fabric.set_eager(true);

  EXPECT_EQ(channel->events.size(), 1u);
  EXPECT_EQ(cq->events_owed(), 0u);
}

TEST_F(FabricStepsTest, TurningEagerFinishesWhatIsPending) {
  pair_.local.Fill("abcdefgh");
  pair_.Post(pair_.Write(1, 8));

  pair_.fabric.set_eager(true);

  EXPECT_EQ(pair_.remote.text(0, 8), "abcdefgh");
  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, WcStatus::kSuccess)));
}

TEST_F(FabricStepsTest, ALongMessageIsFetchedPacketByPacket) {
  std::vector<char> source(10000, 'x'), target(10000);
  const auto region = [&](TestEnd& end, std::vector<char>& bytes) {
    return pair_.context
        .RegMr(end.pd->handle, reinterpret_cast<uintptr_t>(bytes.data()), bytes.size(), kEverything)
        .object;
  };
  const Mr* from = region(pair_.local, source);
  const Mr* to = region(pair_.remote, target);
  const Sge sge{from->addr, 10000, from->key};
  pair_.Post({1, WrOpcode::kRdmaWrite, send_flag::kSignaled, {&sge, 1}, to->addr, to->key});

  int fetches = 0;
  for (; Find(StepKind::kFetch, 1); ++fetches) Take(StepKind::kFetch, 1);
  pair_.fabric.RunInOrder();

  EXPECT_EQ(fetches, 3);
  EXPECT_EQ(target, source);
}

}  // namespace
}  // namespace fakenic
