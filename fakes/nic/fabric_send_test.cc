// Sends and writes with immediate data: what arrives, what the receive reports, and how both ends
// fail.
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
constexpr WcStatus kFlush = WcStatus::kWrFlushErr;

using SendTest = BothSchedules;

INSTANTIATE_TEST_SUITE_P(Schedule, SendTest, testing::Bool(), ScheduleOf);

TEST_P(SendTest, FillsTheReceiveAndTellsItsLength) {
  pair_.local.Fill("abcdefgh");
  pair_.PostRecvInto(90, /*offset=*/32, /*length=*/16);

  PostAndRun(pair_.Send(7, 5));

  EXPECT_EQ(pair_.remote.text(32, 6), std::string("abcde\0", 6));
  const Completion received = pair_.fabric.Poll(*pair_.remote.cq);
  EXPECT_EQ(received.wr_id, 90u);
  EXPECT_EQ(received.status, kSuccess);
  EXPECT_EQ(received.opcode, WcOpcode::kRecv);
  EXPECT_EQ(received.byte_len, 5u);
  EXPECT_EQ(received.wc_flags, 0u);
  EXPECT_EQ(received.qp_num, pair_.remote.qp->num);
  const Completion sent = pair_.fabric.Poll(*pair_.local.cq);
  EXPECT_EQ(sent.wr_id, 7u);
  EXPECT_EQ(sent.opcode, WcOpcode::kSend);
}

TEST_P(SendTest, ImmediateDataArrivesVerbatim) {
  pair_.PostRecvInto(90, 0, 16);

  PostAndRun(pair_.Send(7, 5, WrOpcode::kSendWithImm));

  const Completion received = pair_.fabric.Poll(*pair_.remote.cq);
  EXPECT_EQ(received.opcode, WcOpcode::kRecv);
  EXPECT_EQ(received.wc_flags, wc_flag::kWithImm);
  EXPECT_EQ(received.imm_data, 0x12345678u);
}

TEST_P(SendTest, AWriteWithImmediateDataConsumesAReceiveAndLeavesItsBufferAlone) {
  pair_.local.Fill("abcdefgh");
  pair_.PostRecvInto(90, 32, 16);

  PostAndRun(pair_.Send(7, 8, WrOpcode::kRdmaWriteWithImm));

  EXPECT_EQ(pair_.remote.text(0, 48), "abcdefgh" + std::string(40, '\0'));
  const Completion received = pair_.fabric.Poll(*pair_.remote.cq);
  EXPECT_EQ(received.opcode, WcOpcode::kRecvRdmaWithImm);
  EXPECT_EQ(received.byte_len, 8u);
  EXPECT_EQ(received.imm_data, 0x12345678u);
  EXPECT_EQ(pair_.fabric.Poll(*pair_.local.cq).opcode, WcOpcode::kRdmaWrite);
}

TEST_P(SendTest, ScattersWhatItGathersWhateverTheListsAre) {
  pair_.local.Fill("abcdefghij");
  const std::array<Sge, 2> from{{{pair_.local.addr(2), 3, pair_.local.mr->key},
                                 {pair_.local.addr(6), 4, pair_.local.mr->key}}};
  const std::array<Sge, 2> to{{{pair_.remote.addr(16), 5, pair_.remote.mr->key},
                               {pair_.remote.addr(32), 9, pair_.remote.mr->key}}};
  pair_.fabric.PostRecv(*pair_.remote.qp, {90, to});
  SendWr wr = pair_.Send(1, 0);
  wr.sges = from;

  PostAndRun(wr);

  EXPECT_EQ(pair_.remote.text(16, 6), std::string("cdegh\0", 6));
  EXPECT_EQ(pair_.remote.text(32, 3), std::string("ij\0", 3));
  EXPECT_EQ(pair_.fabric.Poll(*pair_.remote.cq).byte_len, 7u);
}

TEST_P(SendTest, InlineDataNeedsNoLocalKey) {
  pair_.local.Fill("abcdefgh");
  pair_.PostRecvInto(90, 32, 16);
  SendWr wr = pair_.Send(7, 8);
  wr.flags |= send_flag::kInline;
  pair_.sge.lkey = 0xbad;

  PostAndRun(wr);

  EXPECT_EQ(pair_.remote.text(32, 8), "abcdefgh");
}

TEST_P(SendTest, AnEmptyMessageNeedsNoBufferAndNoKey) {
  for (const WrOpcode opcode :
       {WrOpcode::kSend, WrOpcode::kSendWithImm, WrOpcode::kRdmaWriteWithImm}) {
    pair_.PostRecv(pair_.remote, 90);
    SendWr wr = pair_.Send(7, 0, opcode);
    wr.sges = {};
    wr.rkey = 0xbad;

    PostAndRun(wr);

    const Completion received = pair_.fabric.Poll(*pair_.remote.cq);
    EXPECT_EQ(received.status, kSuccess);
    EXPECT_EQ(received.byte_len, 0u);
    EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(7, kSuccess)));
  }
}

TEST_P(SendTest, OnlyTheBytesThatArriveAreCheckedAtTheReceive) {
  pair_.PostRecvInto(90, /*offset=*/248, /*length=*/64);

  PostAndRun(pair_.Send(7, 8));

  EXPECT_THAT(pair_.Poll(pair_.remote), ElementsAre(Pair(90, kSuccess)));
}

TEST_P(SendTest, ReceivesAreConsumedInPostingOrder) {
  for (const uint64_t wr_id : {90, 91, 92}) pair_.PostRecv(pair_.remote, wr_id);
  for (const uint64_t wr_id : {1, 2}) PostAndRun(pair_.Send(wr_id, 0));

  EXPECT_THAT(pair_.Poll(pair_.remote), ElementsAre(Pair(90, kSuccess), Pair(91, kSuccess)));
}

TEST_P(SendTest, AResponderInRtrTakesItAndTellsThatTheConnectionStands) {
  int established = 0;
  pair_.fabric.on_async_event = [&](const AsyncEvent& event) {
    established += event.type == AsyncEventType::kCommEst && event.qp == pair_.remote.qp;
  };
  pair_.remote.qp->set_state(QpState::kRtr);
  for (const uint64_t wr_id : {90, 91}) pair_.PostRecv(pair_.remote, wr_id);

  for (const uint64_t wr_id : {1, 2}) PostAndRun(pair_.Send(wr_id, 0));

  EXPECT_THAT(pair_.Poll(pair_.remote), ElementsAre(Pair(90, kSuccess), Pair(91, kSuccess)));
  EXPECT_EQ(established, 1);
}

TEST_P(SendTest, WaitsForAReceiveAndThenRunsOn) {
  pair_.local.qp->attr().rnr_retry = 7;
  pair_.local.Fill("abcdefgh");
  PostAndRun(pair_.Send(1, 8));
  PostAndRun(pair_.Write(2, 8));
  EXPECT_EQ(pair_.fabric.NextDeadline(), std::nullopt) << "rnr_retry 7 waits for ever";
  EXPECT_THAT(pair_.Poll(pair_.local), IsEmpty());

  pair_.PostRecvInto(90, 32, 8);
  pair_.fabric.RunInOrder();

  EXPECT_EQ(pair_.remote.text(32, 8), "abcdefgh");
  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, kSuccess), Pair(2, kSuccess)));
  EXPECT_THAT(pair_.Poll(pair_.remote), ElementsAre(Pair(90, kSuccess)));
}

TEST_P(SendTest, GivesUpAfterTheRnrRetriesAndLeavesTheResponderAlone) {
  PostAndRun(pair_.Send(1, 8));
  PostAndRun(pair_.Send(2, 8));
  const uint64_t deadline = pair_.fabric.NextDeadline().value_or(0);
  EXPECT_EQ(deadline - pair_.clock.now, 3 * uint64_t{640000}) << "three pauses of 0.64 ms";

  pair_.clock.now = deadline - 1;
  pair_.fabric.FireTimers();
  EXPECT_EQ(pair_.local.qp->state(), QpState::kRts);
  pair_.clock.now = deadline;
  pair_.fabric.FireTimers();
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local),
              ElementsAre(Pair(1, WcStatus::kRnrRetryExcErr), Pair(2, kFlush)));
  EXPECT_EQ(pair_.remote.qp->state(), QpState::kRts);
  EXPECT_THAT(pair_.local.qp->first_cause, HasSubstr("had no receive posted"));
}

TEST_P(SendTest, WithoutAnyRnrRetryItFailsAtOnce) {
  pair_.local.qp->attr().rnr_retry = 0;

  PostAndRun(pair_.Send(1, 8));

  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, WcStatus::kRnrRetryExcErr)));
  EXPECT_EQ(pair_.remote.qp->state(), QpState::kRts);
}

TEST_P(SendTest, AWriteWithImmediateDataAndABadKeyWaitsForAReceiveFirst) {
  SendWr wr = pair_.Send(1, 8, WrOpcode::kRdmaWriteWithImm);
  wr.rkey = 2;
  PostAndRun(wr);
  EXPECT_THAT(pair_.Poll(pair_.local), IsEmpty());

  pair_.PostRecv(pair_.remote, 90);
  pair_.fabric.RunInOrder();

  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(1, WcStatus::kRemAccessErr)));
  EXPECT_THAT(pair_.Poll(pair_.remote), ElementsAre(Pair(90, WcStatus::kLocAccessErr)));
}

TEST_P(SendTest, AKeyThatCannotBeInvalidatedFailsTheReceiveAndIsNeverAnswered) {
  pair_.local.Fill("abcdefgh");
  pair_.PostRecvInto(90, 32, 16);

  PostAndRun(pair_.Send(7, 8, WrOpcode::kSendWithInv));

  EXPECT_EQ(pair_.remote.text(32, 8), "abcdefgh");
  EXPECT_THAT(pair_.Poll(pair_.remote), ElementsAre(Pair(90, WcStatus::kLocAccessErr)));
  EXPECT_THAT(pair_.Poll(pair_.local), IsEmpty());
  pair_.clock.now = pair_.fabric.NextDeadline().value_or(0);
  pair_.fabric.FireTimers();
  pair_.fabric.RunInOrder();
  EXPECT_THAT(pair_.Poll(pair_.local), ElementsAre(Pair(7, WcStatus::kRetryExcErr)));
}

TEST_P(SendTest, ASolicitedMessageOrAnErrorWakesWhoArmedForSolicitedOnly) {
  CompChannel* channel = pair_.context.CreateCompChannel();
  Cq* cq = pair_.context.CreateCq(8, channel).object;
  Qp* qp = pair_.context
               .CreateQp(pair_.remote.pd->handle, cq->handle, cq->handle, {1, 4, 1, 1, 0}, false)
               .object;
  Connect(pair_.fabric, *qp, pair_.local.qp->num);
  pair_.local.qp->attr().dest_qp_num = qp->num;
  for (const uint64_t wr_id : {90, 91, 92}) pair_.fabric.PostRecv(*qp, {wr_id, {}});
  SendWr solicited = pair_.Send(2, 0);
  solicited.flags |= send_flag::kSolicited;

  cq->RequestNotify(/*solicited_only=*/true);
  PostAndRun(pair_.Send(1, 0));
  EXPECT_EQ(channel->events.size(), 0u);
  PostAndRun(solicited);
  EXPECT_EQ(channel->events.size(), 1u);
  cq->RequestNotify(/*solicited_only=*/true);
  PostAndRun(pair_.Send(3, 8));
  EXPECT_EQ(channel->events.size(), 2u) << "an error is solicited";
}

}  // namespace
}  // namespace fakenic
