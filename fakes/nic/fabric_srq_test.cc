// Shared receive queues: whose receives they are, when they tell that they run low, and what an
// error of one queue pair leaves to the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/fabric.h"
#include "nic/test_schedules.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using enum WcStatus;

// Two connections whose remote ends share one queue of 4 receives. The parameter: eager or not.
class SrqTest : public testing::TestWithParam<bool> {
 protected:
  struct Connection {
    Qp* local;
    Qp* remote;
    Cq* cq;  // of the remote end
  };

  SrqTest() {
    fabric_.set_eager(GetParam());
    fabric_.on_async_event = [this](const AsyncEvent& event) {
      events_.push_back(event.type);
      EXPECT_EQ(event.srq, event.type == AsyncEventType::kSrqLimitReached ? srq_ : nullptr);
    };
  }

  Connection Make() {
    Context& context = pair_.context;
    Cq* cq = context.CreateCq(16, nullptr).object;
    Qp* remote =
        context.CreateQp(qp_pd_->handle, cq->handle, cq->handle, {1, 0, 1, 0, 0}, false, srq_)
            .object;
    Qp* local = context
                    .CreateQp(pair_.local.pd->handle, pair_.local.cq->handle,
                              pair_.local.cq->handle, {4, 0, 1, 0, 0}, false)
                    .object;
    Connect(fabric_, *remote, local->num);
    Connect(fabric_, *local, remote->num);
    return {local, remote, cq};
  }

  int PostRecv(uint64_t wr_id, const Mr& mr) {
    const Sge sge{pair_.remote.addr(0), 8, mr.key};
    return fabric_.PostSrqRecv(*srq_, {wr_id, {&sge, 1}});
  }

  void Send(const Connection& connection, uint64_t wr_id) {
    EXPECT_EQ(fabric_.PostSend(*connection.local, pair_.Send(wr_id, 8)), 0);
    fabric_.RunInOrder();
  }

  std::vector<std::pair<uint64_t, WcStatus>> Poll(Cq& cq) {
    std::vector<std::pair<uint64_t, WcStatus>> all;
    while (cq.size() > 0) {
      const Completion& completion = fabric_.Poll(cq);
      all.emplace_back(completion.wr_id, completion.status);
    }
    return all;
  }

  TestPair pair_;
  Fabric& fabric_ = pair_.fabric;
  Pd* qp_pd_ = pair_.context.AllocPd().object;
  Srq* srq_ = pair_.context.CreateSrq(pair_.remote.pd->handle, 4, 1).object;
  const Mr& mr_ = *pair_.remote.mr;
  Connection a_ = Make(), b_ = Make();
  std::vector<AsyncEventType> events_;
};

INSTANTIATE_TEST_SUITE_P(Schedule, SrqTest, testing::Bool(), ScheduleOf);

TEST_P(SrqTest, ServesItsQueuePairsInTheOrderOfTheirMessages) {
  for (const uint64_t wr_id : {90, 91, 92}) EXPECT_EQ(PostRecv(wr_id, mr_), 0);
  pair_.local.Fill("abcdefgh");

  Send(a_, 1);
  Send(b_, 2);
  Send(a_, 3);

  EXPECT_THAT(Poll(*a_.cq), ElementsAre(Pair(90, kSuccess), Pair(92, kSuccess)));
  EXPECT_THAT(Poll(*b_.cq), ElementsAre(Pair(91, kSuccess)));
  EXPECT_EQ(pair_.remote.text(0, 8), "abcdefgh");
}

TEST_P(SrqTest, AnEmptyOneLetsAMessageWaitForWhicheverReceiveComesNext) {
  Send(a_, 1);
  EXPECT_THAT(Poll(*a_.cq), IsEmpty());

  PostRecv(90, mr_);
  fabric_.RunInOrder();

  EXPECT_THAT(Poll(*a_.cq), ElementsAre(Pair(90, kSuccess)));
}

TEST_P(SrqTest, ItsDomainDecidesWhichBuffersAreGood) {
  EXPECT_NE(qp_pd_, srq_->pd);
  const Mr& of_qp =
      *pair_.context.RegMr(qp_pd_->handle, pair_.remote.addr(0), 8, access_flag::kLocalWrite)
           .object;
  PostRecv(90, mr_);
  PostRecv(91, of_qp);

  Send(a_, 1);
  Send(a_, 2);

  EXPECT_THAT(Poll(*a_.cq), ElementsAre(Pair(90, kSuccess), Pair(91, WcStatus::kLocProtErr)));
  EXPECT_THAT(pair_.Poll(pair_.local),
              ElementsAre(Pair(1, kSuccess), Pair(2, WcStatus::kRemOpErr)));
}

TEST_P(SrqTest, ASlotIsFreeWhenItsCompletionHasBeenPolled) {
  for (const uint64_t wr_id : {90, 91, 92, 93}) EXPECT_EQ(PostRecv(wr_id, mr_), 0);
  Send(a_, 1);
  EXPECT_EQ(PostRecv(94, mr_), ENOMEM);

  Poll(*a_.cq);

  EXPECT_EQ(PostRecv(94, mr_), 0);
  EXPECT_EQ(PostRecv(95, mr_), ENOMEM);
}

TEST_P(SrqTest, AQueuePairThatGoesGivesBackTheSlotsThatItUsed) {
  for (const uint64_t wr_id : {90, 91, 92, 93}) PostRecv(wr_id, mr_);
  Send(a_, 1);
  Send(a_, 2);
  QpAttr reset;
  fabric_.ModifyQp(*a_.remote, reset, qp_mask::kState);

  EXPECT_EQ(PostRecv(94, mr_), 0);
  EXPECT_EQ(PostRecv(95, mr_), 0);
  EXPECT_EQ(PostRecv(96, mr_), ENOMEM);
}

TEST_P(SrqTest, TellsOnceThatItFellBelowItsLimit) {
  for (const uint64_t wr_id : {90, 91, 92, 93}) PostRecv(wr_id, mr_);
  EXPECT_EQ(pair_.context.SetSrqLimit(srq_->handle, 5), EINVAL);
  EXPECT_EQ(pair_.context.SetSrqLimit(srq_->handle, 3), 0);

  Send(a_, 1);
  EXPECT_THAT(events_, IsEmpty()) << "three are not below three";
  Send(b_, 2);
  EXPECT_THAT(events_, ElementsAre(AsyncEventType::kSrqLimitReached));
  Send(a_, 3);

  EXPECT_THAT(events_, ElementsAre(AsyncEventType::kSrqLimitReached));
  EXPECT_EQ(srq_->limit, 0u);
}

TEST_P(SrqTest, AQueuePairInErrorTellsThatItTakesNoMoreAndLeavesTheReceivesToOthers) {
  for (const uint64_t wr_id : {90, 91}) PostRecv(wr_id, mr_);
  QpAttr attr;
  attr.state = QpState::kErr;

  fabric_.ModifyQp(*a_.remote, attr, qp_mask::kState);
  EXPECT_THAT(events_, ElementsAre(AsyncEventType::kQpLastWqeReached));
  fabric_.ModifyQp(*a_.remote, attr, qp_mask::kState);
  EXPECT_THAT(events_, ElementsAre(AsyncEventType::kQpLastWqeReached));
  EXPECT_THAT(Poll(*a_.cq), IsEmpty());
  Send(b_, 1);

  EXPECT_THAT(Poll(*b_.cq), ElementsAre(Pair(90, kSuccess)));
}

TEST_P(SrqTest, CannotBeDestroyedWhileAQueuePairUsesIt) {
  EXPECT_EQ(pair_.context.DestroySrq(srq_->handle), EBUSY);
  pair_.context.DestroyQp(a_.remote->handle);
  pair_.context.DestroyQp(b_.remote->handle);
  EXPECT_EQ(pair_.context.DestroySrq(srq_->handle), 0);
}

}  // namespace
}  // namespace fakenic
