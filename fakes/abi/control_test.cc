// The control interface, as a test of a program uses it.
#include <string>

#include "abi/test_programs.h"

namespace fakenic {
namespace {

class ControlTest : public testing::Test {
 protected:
  void TearDown() override {
    fakenic_set_schedule(FAKENIC_EAGER);
    fakenic_clear_faults();
  }
};

TEST_F(ControlTest, UnderTheManualScheduleStepsAreListedAndTakenOneByOne) {
  ProgramPair pair(7201);
  ASSERT_EQ(fakenic_set_schedule(FAKENIC_MANUAL), 0);
  std::memcpy(pair.client.memory, "abcdefgh", 8);
  pair.client.Write(pair.server, 7, 8);

  std::string steps;
  char text[96];
  while (fakenic_enabled_steps() > 0) {
    ASSERT_EQ(fakenic_describe_step(0, text, sizeof text), 0);
    steps += std::string(std::strchr(text, ':') + 2).substr(0, 5) + ' ';
    ASSERT_EQ(fakenic_step(0), 0);
  }

  EXPECT_EQ(steps, "fetch deliv place ackno compl ");
  EXPECT_EQ(std::memcmp(pair.server.memory, "abcdefgh", 8), 0);
}

TEST_F(ControlTest, BadArgumentsAreRefused) {
  char text[8];
  EXPECT_EQ(fakenic_set_schedule(static_cast<fakenic_schedule>(9)), EINVAL);
  EXPECT_EQ(fakenic_step(0), EINVAL);
  EXPECT_EQ(fakenic_describe_step(0, text, sizeof text), EINVAL);
  EXPECT_EQ(fakenic_describe_step(0, nullptr, 8), EINVAL);
  EXPECT_EQ(fakenic_fail_call(nullptr, 1, EIO), EINVAL);
  EXPECT_EQ(fakenic_fail_call("ibv_post_send", 0, EIO), EINVAL);
  EXPECT_EQ(fakenic_fail_call("ibv_post_send", 1, 0), EINVAL);
  EXPECT_EQ(fakenic_fail_call("printf", 1, EIO), ENOENT);
  EXPECT_EQ(fakenic_get_counts(nullptr), EINVAL);
  EXPECT_EQ(fakenic_explain(0, text, sizeof text), ENOENT);
  EXPECT_EQ(fakenic_explain(0, nullptr, 8), EINVAL);
}

TEST_F(ControlTest, TheNthCallFailsOnceAndIsCounted) {
  ProgramPair pair(7202);
  ASSERT_EQ(fakenic_fail_call("ibv_post_send", 2, EIO), 0);

  EXPECT_EQ(pair.client.Write(pair.server, 1, 8), 0);
  EXPECT_EQ(fakenic_fault_fired("ibv_post_send"), 0u);
  EXPECT_EQ(pair.client.Write(pair.server, 2, 8), EIO);
  EXPECT_EQ(pair.client.Write(pair.server, 3, 8), 0);

  EXPECT_EQ(fakenic_fault_fired("ibv_post_send"), 1u);
  fakenic_clear_faults();
  EXPECT_EQ(fakenic_fault_fired("ibv_post_send"), 0u);
}

TEST_F(ControlTest, WhatIsLeftOfAPlanIsKnown) {
  ProgramPair pair(7205);
  EXPECT_EQ(fakenic_fault_left("ibv_post_send"), 0u);
  ASSERT_EQ(fakenic_fail_call("ibv_post_send", 2, EIO), 0);

  EXPECT_EQ(fakenic_fault_left("ibv_post_send"), 2u);
  pair.client.Write(pair.server, 1, 8);
  EXPECT_EQ(fakenic_fault_left("ibv_post_send"), 1u);
  pair.client.Write(pair.server, 2, 8);
  EXPECT_EQ(fakenic_fault_left("ibv_post_send"), 0u);
  EXPECT_EQ(fakenic_fault_left(nullptr), 0u);
}

TEST_F(ControlTest, APlannedFailureIsReportedInTheWayOfItsFunction) {
  ASSERT_EQ(fakenic_fail_call("rdma_create_event_channel", 1, EMFILE), 0);
  EXPECT_EQ(rdma_create_event_channel(), nullptr);
  EXPECT_EQ(errno, EMFILE);
  ASSERT_EQ(fakenic_fail_call("rdma_create_id", 1, ENOMEM), 0);
  rdma_cm_id* id = nullptr;
  EXPECT_EQ(rdma_create_id(nullptr, &id, nullptr, RDMA_PS_TCP), -1);
  EXPECT_EQ(errno, ENOMEM);
}

TEST_F(ControlTest, TimeStandsStillUnderTheManualScheduleUntilItIsMoved) {
  ProgramPair pair(7203);
  rdma_disconnect(pair.server.id);
  fakenic_set_schedule(FAKENIC_MANUAL);
  pair.client.Write(pair.server, 1, 8);
  fakenic_run();
  ibv_wc wc{};
  EXPECT_EQ(ibv_poll_cq(pair.client.cq, 1, &wc), 0);

  fakenic_advance_time(60'000'000'000);
  fakenic_run();

  EXPECT_EQ(ibv_poll_cq(pair.client.cq, 1, &wc), 1);
  EXPECT_EQ(wc.status, IBV_WC_RETRY_EXC_ERR);
}

TEST_F(ControlTest, AThreadFiresTheTimersUnderTheEagerSchedule) {
  ProgramPair pair(7204);
  rdma_disconnect(pair.server.id);
  pair.client.Write(pair.server, 1, 8);
  ASSERT_EQ(ibv_req_notify_cq(pair.client.cq, 0), 0);

  fakenic_advance_time(4'200'000'000);  // the rest of the 4.3 s passes for real

  ibv_cq* cq = nullptr;
  void* context = nullptr;
  ASSERT_EQ(ibv_get_cq_event(pair.client.channel, &cq, &context), 0);
  ibv_ack_cq_events(cq, 1);
  ibv_wc wc{};
  EXPECT_EQ(ibv_poll_cq(cq, 1, &wc), 1);
  EXPECT_EQ(wc.status, IBV_WC_RETRY_EXC_ERR);
}

}  // namespace
}  // namespace fakenic
