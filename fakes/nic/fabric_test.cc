// Messages under the eager schedule: what arrives, which completions appear, in which state both
// ends are left.
#include "nic/fabric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "nic/test_pair.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

TEST(EagerWrite, PlacesItsBytesAndCompletesOnce) {
  TestPair pair;
  pair.local.Fill("abcdefgh");

  EXPECT_EQ(pair.Post(pair.Write(7, 5)), 0);

  EXPECT_EQ(pair.remote.text(0, 6), std::string("abcde\0", 6));
  EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(7, WcStatus::kSuccess)));
  EXPECT_THAT(pair.Poll(pair.remote), IsEmpty());
}

TEST(EagerWrite, UnsignaledWriteYieldsNoCompletion) {
  TestPair pair;
  pair.local.Fill("abcdefgh");

  pair.Post(pair.Write(7, 8, 0));

  EXPECT_EQ(pair.remote.text(0, 8), "abcdefgh");
  EXPECT_THAT(pair.Poll(pair.local), IsEmpty());
}

TEST(EagerWrite, GathersItsSges) {
  TestPair pair;
  pair.local.Fill("abcdefgh");
  const std::array<Sge, 2> sges{
      {{pair.local.addr(4), 4, pair.local.mr->key}, {pair.local.addr(0), 3, pair.local.mr->key}}};
  SendWr wr = pair.Write(1, 0);
  wr.sges = sges;

  pair.Post(wr);

  EXPECT_EQ(pair.remote.text(0, 8), std::string("efghabc\0", 8));
}

TEST(EagerWrite, AnEmptyWriteSucceedsWhateverItsKeys) {
  TestPair pair;
  SendWr wr = pair.Write(1, 0);
  pair.sge.lkey = 0xbad;
  wr.rkey = 0xbad;
  wr.remote_addr = 0;

  pair.Post(wr);

  EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(1, WcStatus::kSuccess)));
}

TEST(EagerWrite, InlineDataNeedsNoLocalKey) {
  TestPair pair;
  pair.local.Fill("abcdefgh");
  SendWr wr = pair.Write(1, 8, send_flag::kSignaled | send_flag::kInline);
  pair.sge.lkey = 0xbad;

  pair.Post(wr);

  EXPECT_EQ(pair.remote.text(0, 8), "abcdefgh");
  EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(1, WcStatus::kSuccess)));
}

TEST(EagerWrite, ARequestPostedInErrorIsFlushed) {
  TestPair pair;
  QpAttr attr;
  attr.state = QpState::kErr;
  pair.fabric.ModifyQp(*pair.local.qp, attr, qp_mask::kState);

  EXPECT_EQ(pair.Post(pair.Write(1, 8, /*flags=*/0)), 0);
  EXPECT_EQ(pair.PostRecv(pair.local, 2), 0);

  EXPECT_THAT(pair.Poll(pair.local),
              ElementsAre(Pair(1, WcStatus::kWrFlushErr), Pair(2, WcStatus::kWrFlushErr)));
}

TEST(EagerWrite, SlotsComeBackWhenACompletionThatCoversThemIsPolled) {
  TestPair pair({.max_send_wr = 2, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1});
  EXPECT_EQ(pair.Post(pair.Write(1, 8, 0)), 0);
  EXPECT_EQ(pair.Post(pair.Write(2, 8)), 0);
  EXPECT_EQ(pair.Post(pair.Write(3, 8)), ENOMEM);

  EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(2, WcStatus::kSuccess)));

  EXPECT_EQ(pair.Post(pair.Write(4, 8, 0)), 0);
  EXPECT_EQ(pair.Post(pair.Write(5, 8, 0)), 0);
  EXPECT_EQ(pair.Post(pair.Write(6, 8, 0)), ENOMEM) << "unsignaled requests keep their slots";
}

TEST(EagerWrite, AnErrorCompletionLeavesUndefinedFieldsThatChange) {
  TestPair pair;
  SendWr wr = pair.Write(1, 8);
  wr.rkey = 2;
  pair.Post(wr);
  pair.Post(pair.Write(2, 8));

  const uint32_t first = pair.fabric.Poll(*pair.local.cq).byte_len;
  const uint32_t second = pair.fabric.Poll(*pair.local.cq).byte_len;

  EXPECT_NE(first, second);
}

TEST(EagerWrite, WaitsForAResponderThatIsNotReadyYet) {
  TestPair pair;
  QpAttr reset;
  pair.fabric.ModifyQp(*pair.remote.qp, reset, qp_mask::kState);
  pair.local.Fill("abcdefgh");

  EXPECT_EQ(pair.Post(pair.Write(1, 8)), 0);
  EXPECT_THAT(pair.Poll(pair.local), IsEmpty());
  Connect(pair.fabric, *pair.remote.qp, pair.local.qp->num);

  EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(1, WcStatus::kSuccess)));
  EXPECT_EQ(pair.remote.text(0, 8), "abcdefgh");
}

TEST(EagerWrite, AResponderThatNeverAnswersExceedsTheRetries) {
  TestPair pair;
  pair.context.DestroyQp(pair.remote.qp->handle);
  pair.Post(pair.Write(1, 8));
  pair.Post(pair.Write(2, 8, 0));
  const uint64_t deadline = pair.fabric.NextDeadline().value_or(0);
  EXPECT_EQ(deadline - pair.clock.now, (uint64_t{4096} << 14) * 3) << "three transmissions";

  pair.clock.now = deadline - 1;
  pair.fabric.FireTimers();
  EXPECT_THAT(pair.Poll(pair.local), IsEmpty());
  pair.clock.now = deadline;
  pair.fabric.FireTimers();

  EXPECT_THAT(pair.Poll(pair.local),
              ElementsAre(Pair(1, WcStatus::kRetryExcErr), Pair(2, WcStatus::kWrFlushErr)));
  EXPECT_EQ(pair.fabric.NextDeadline(), std::nullopt);
}

TEST(EagerWrite, AnotherQueuePairsNumberDoesNotMakeAResponder) {
  TestPair pair;
  pair.remote.qp->attr().dest_qp_num = pair.local.qp->num + 1;

  pair.Post(pair.Write(1, 8));

  EXPECT_THAT(pair.Poll(pair.local), IsEmpty());
  EXPECT_TRUE(pair.fabric.NextDeadline().has_value());
}

TEST(CqOverrun, LosesTheCompletionAndFailsTheQueuePairsOfTheCq) {
  TestPair pair({8, 1, 1, 1, 0}, /*cqe=*/2);
  int cq_errors = 0;
  pair.fabric.on_async_event = [&](const AsyncEvent& event) {
    cq_errors += event.type == AsyncEventType::kCqErr && event.cq == pair.local.cq;
  };

  for (uint64_t wr_id : {1, 2, 3}) pair.Post(pair.Write(wr_id, 8));

  EXPECT_EQ(cq_errors, 1);
  EXPECT_TRUE(pair.local.cq->overrun());
  EXPECT_EQ(pair.local.qp->state(), QpState::kErr);
  EXPECT_EQ(pair.remote.qp->state(), QpState::kRts);
  EXPECT_THAT(pair.Poll(pair.local),
              ElementsAre(Pair(1, WcStatus::kSuccess), Pair(2, WcStatus::kSuccess)));
}

TEST(QpReset, PurgesItsCompletionsAndWorksAgain) {
  TestPair pair;
  pair.Post(pair.Write(1, 8));
  QpAttr reset;

  pair.fabric.ModifyQp(*pair.local.qp, reset, qp_mask::kState);
  EXPECT_THAT(pair.Poll(pair.local), IsEmpty());
  Connect(pair.fabric, *pair.local.qp, pair.remote.qp->num);
  pair.Post(pair.Write(2, 8));

  EXPECT_THAT(pair.Poll(pair.local), ElementsAre(Pair(2, WcStatus::kSuccess)));
}

TEST(QpAccessError, RaisesAnAsyncEventAtTheResponder) {
  TestPair pair;
  const Qp* raised = nullptr;
  pair.fabric.on_async_event = [&](const AsyncEvent& event) { raised = event.qp; };
  SendWr wr = pair.Write(1, 8);
  wr.rkey = 2;

  pair.Post(wr);

  EXPECT_EQ(raised, pair.remote.qp);
}

}  // namespace
}  // namespace fakenic
