// A power failure as a program causes it, and what its recovery finds.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "abi/test_flush.h"
#include "abi/test_programs.h"

namespace fakenic {
namespace {

class PowerControl : public testing::Test {
 protected:
  void TearDown() override { fakenic_set_platform(nullptr); }
};

TEST_F(PowerControl, SaysNothingUntilAPlatformIsChosen) {
  char byte = 0;
  EXPECT_EQ(fakenic_platform(), nullptr);
  EXPECT_EQ(fakenic_is_persistent(&byte, 1), -1);
  EXPECT_EQ(fakenic_fail_power(), EINVAL);
  EXPECT_EQ(fakenic_set_platform("dram"), EINVAL);
  EXPECT_EQ(fakenic_platform(), nullptr);

  EXPECT_EQ(fakenic_set_platform("adr-ddio"), 0);
  EXPECT_STREQ(fakenic_platform(), "adr-ddio");
  EXPECT_EQ(fakenic_is_persistent(&byte, 1), 1);
}

ibv_wc_status Poll(ibv_cq* cq) {
  ibv_wc wc{};
  EXPECT_EQ(ibv_poll_cq(cq, 1, &wc), 1);
  return wc.status;
}

TEST_F(PowerControl, ACompletedWriteIsLostAndTheConnectionWithIt) {
  fakenic_set_platform("eadr");
  ProgramPair pair(7901);
  std::memcpy(pair.server.memory, "old-----", 8);
  std::memcpy(pair.client.memory, "new-----", 8);
  pair.client.Write(pair.server, 1, 8);
  EXPECT_EQ(Poll(pair.client.cq), IBV_WC_SUCCESS);
  EXPECT_EQ(std::memcmp(pair.server.memory, "new-----", 8), 0);
  EXPECT_EQ(fakenic_is_persistent(pair.server.memory, 8), 0);

  EXPECT_EQ(fakenic_fail_power(), 0);

  EXPECT_EQ(std::memcmp(pair.server.memory, "old-----", 8), 0);
  pair.client.Write(pair.server, 2, 8);
  EXPECT_EQ(Poll(pair.client.cq), IBV_WC_WR_FLUSH_ERR);
}

// The general purpose method: the server makes persistent what it has received a message about.
TEST_F(PowerControl, WhatTheServerItselfPersistedSurvives) {
  fakenic_set_platform("adr-ddio");
  ProgramPair pair(7902);
  EXPECT_EQ(pair.server.Recv(90, 0), 0);
  std::memcpy(pair.client.memory, "abcdefgh", 8);
  pair.client.Write(pair.server, 1, 8, 0);
  pair.client.Write(pair.server, 2, 0, IBV_SEND_SIGNALED, IBV_WR_SEND);
  EXPECT_EQ(Poll(pair.client.cq), IBV_WC_SUCCESS);
  ASSERT_EQ(Poll(pair.server.cq), IBV_WC_SUCCESS);
  EXPECT_EQ(fakenic_is_persistent(pair.server.memory, 8), 0);

  fakenic_persist(pair.server.memory, 8);
  EXPECT_EQ(fakenic_is_persistent(pair.server.memory, 8), 1);
  fakenic_fail_power();

  EXPECT_EQ(std::memcmp(pair.server.memory, "abcdefgh", 8), 0);
}

TEST_F(PowerControl, ANativeFlushIsEnoughWhereAReadIsNot) {
  fakenic_set_platform("adr-ddio");
  ProgramPair pair(7903);
  ibv_mr* mr = RegisterForFlush(pair.server.pd, pair.server.memory, sizeof pair.server.memory);
  pair.client.Write(pair.server, 1, 8);
  EXPECT_EQ(Poll(pair.client.cq), IBV_WC_SUCCESS);
  pair.client.Write(pair.server, 2, 8, IBV_SEND_SIGNALED, IBV_WR_RDMA_READ);
  EXPECT_EQ(Poll(pair.client.cq), IBV_WC_SUCCESS);
  EXPECT_EQ(fakenic_is_persistent(pair.server.memory, 8), 0);

  ibv_qp_ex* qp = ibv_qp_to_qp_ex(pair.client.id->qp);
  ibv_wr_start(qp);
  qp->wr_flags = IBV_SEND_SIGNALED;
  WrFlushOf(qp, mr->rkey, reinterpret_cast<uintptr_t>(pair.server.memory), 8,
            flush_type::kPersistent, flush_level::kRange);
  EXPECT_EQ(ibv_wr_complete(qp), 0);
  EXPECT_EQ(Poll(pair.client.cq), IBV_WC_SUCCESS);

  EXPECT_EQ(fakenic_is_persistent(pair.server.memory, 8), 1);
  EXPECT_EQ(ibv_dereg_mr(mr), 0);
}

TEST_F(PowerControl, MayFailBetweenTwoSteps) {
  fakenic_set_platform("adr");
  ProgramPair pair(7904);
  fakenic_set_schedule(FAKENIC_MANUAL);
  std::memcpy(pair.client.memory, "abcdefgh", 8);
  pair.client.Write(pair.server, 1, 8);
  pair.client.Write(pair.server, 2, 8, IBV_SEND_SIGNALED, IBV_WR_RDMA_READ);
  char text[128] = "";
  while (std::strstr(text, "execute the read") == nullptr) {
    if (*text != '\0') fakenic_step(0);
    ASSERT_EQ(fakenic_describe_step(0, text, sizeof text), 0);
  }

  EXPECT_EQ(fakenic_is_persistent(pair.server.memory, 8), 0);
  fakenic_step(0);
  EXPECT_EQ(fakenic_is_persistent(pair.server.memory, 8), 1);
  fakenic_fail_power();
  fakenic_set_schedule(FAKENIC_EAGER);

  EXPECT_EQ(std::memcmp(pair.server.memory, "abcdefgh", 8), 0);
}

TEST_F(PowerControl, IsChosenByTheEnvironment) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("FAKENIC_PLATFORM", "adr", 1);
    const char* platform = fakenic_platform();
    _exit(platform != nullptr && std::string(platform) == "adr" ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace fakenic
