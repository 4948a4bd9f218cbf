#include "nic/qp.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>

namespace fakenic {
namespace {

class QpTest : public testing::Test {
 protected:
  SendWr Wr(uint32_t length, uint32_t flags = 0, size_t sges = 1) {
    list_.fill({0x1000, length, 1});
    return {1, WrOpcode::kRdmaWrite, flags, {list_.data(), sges}, 0x2000, 2};
  }

  Cq cq_{8, nullptr};
  Pd pd_;
  Qp qp_{{&pd_,
          &cq_,
          &cq_,
          /*srq=*/nullptr,
          {.max_send_wr = 2,
           .max_recv_wr = 1,
           .max_send_sge = 2,
           .max_recv_sge = 1,
           .max_inline_data = 8},
          false}};
  std::array<Sge, 3> list_{};
};

TEST_F(QpTest, SendsBeforeRtsAreTooEarly) {
  for (QpState state : {QpState::kReset, QpState::kInit, QpState::kRtr}) {
    qp_.set_state(state);
    EXPECT_TRUE(qp_.too_early_to_send());
  }
  for (QpState state : {QpState::kRts, QpState::kSqd, QpState::kErr}) {
    qp_.set_state(state);
    EXPECT_FALSE(qp_.too_early_to_send());
  }
}

TEST_F(QpTest, ReceivesAreTooEarlyInResetOnly) {
  EXPECT_TRUE(qp_.too_early_to_receive());
  qp_.set_state(QpState::kInit);
  EXPECT_FALSE(qp_.too_early_to_receive());
}

TEST_F(QpTest, AFullSendQueueIsOutOfMemoryUntilSlotsAreFreed) {
  qp_.set_state(QpState::kRts);
  qp_.ClaimSendSlot();
  const uint64_t last = qp_.ClaimSendSlot();
  EXPECT_EQ(qp_.CheckPostSend(Wr(8)), ENOMEM);

  qp_.FreeSendSlots(last + 1);

  EXPECT_EQ(qp_.CheckPostSend(Wr(8)), 0);
  EXPECT_EQ(qp_.free_send_slots(), 2u);
}

TEST_F(QpTest, AFullReceiveQueueIsOutOfMemory) {
  qp_.set_state(QpState::kRts);
  qp_.recvs().Post({1, {}});
  EXPECT_EQ(qp_.CheckPostRecv({1, {}}), ENOMEM);

  qp_.recvs().Take();
  EXPECT_EQ(qp_.CheckPostRecv({1, {}}), ENOMEM) << "its completion has not been polled";
  qp_.recvs().FreeSlot();

  EXPECT_EQ(qp_.CheckPostRecv({1, {}}), 0);
}

TEST_F(QpTest, LimitsOfOneRequestAreEnforcedExactly) {
  qp_.set_state(QpState::kRts);
  EXPECT_EQ(qp_.CheckPostSend(Wr(8, 0, 2)), 0);
  EXPECT_EQ(qp_.CheckPostSend(Wr(8, 0, 3)), EINVAL) << "more sges than max_send_sge";
  EXPECT_EQ(qp_.CheckPostSend(Wr(8, send_flag::kInline)), 0);
  EXPECT_EQ(qp_.CheckPostSend(Wr(9, send_flag::kInline)), EINVAL) << "more than max_inline_data";
}

TEST_F(QpTest, AnUnknownOpcodeIsRefused) {
  qp_.set_state(QpState::kRts);
  SendWr wr = Wr(8);
  for (const uint32_t opcode : {7u, 8u, 10u, 11u, 14u, 16u, 33u}) {
    wr.opcode = static_cast<WrOpcode>(opcode);
    EXPECT_EQ(qp_.CheckPostSend(wr), EINVAL) << opcode;
  }
}

TEST_F(QpTest, WhatIsAnsweredWithDataCannotBeInline) {
  qp_.set_state(QpState::kRts);
  SendWr wr = Wr(8, send_flag::kInline);
  for (const WrOpcode opcode :
       {WrOpcode::kRdmaRead, WrOpcode::kAtomicCmpAndSwp, WrOpcode::kAtomicFetchAndAdd}) {
    wr.opcode = opcode;
    EXPECT_EQ(qp_.CheckPostSend(wr), EINVAL);
  }
}

TEST_F(QpTest, AnswersOnlyItsPeerAndOnlyWhenReady) {
  qp_.attr().dest_qp_num = 0x22;
  EXPECT_FALSE(qp_.Answers(0x22)) << "in RESET";
  for (QpState state : {QpState::kRtr, QpState::kRts, QpState::kSqd}) {
    qp_.set_state(state);
    EXPECT_TRUE(qp_.Answers(0x22));
    EXPECT_FALSE(qp_.Answers(0x23));
  }
  qp_.set_state(QpState::kErr);
  EXPECT_FALSE(qp_.Answers(0x22));
}

TEST_F(QpTest, ResetForgetsQueuesAndAttributes) {
  qp_.set_state(QpState::kRts);
  qp_.attr().dest_qp_num = 7;
  qp_.ClaimSendSlot();
  qp_.recvs().Post({1, {}});

  qp_.Reset();

  EXPECT_EQ(qp_.state(), QpState::kReset);
  EXPECT_EQ(qp_.attr().dest_qp_num, 0u);
  EXPECT_EQ(qp_.free_send_slots(), 2u);
  EXPECT_TRUE(qp_.recvs().empty());
}

}  // namespace
}  // namespace fakenic
