// A program that was built with headers that know the flush finds it in all places, and on a device
// without it in none.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "abi/test_flush.h"
#include "abi/test_programs.h"
#include "nic/opcode.h"

namespace fakenic {
namespace {

constexpr uint64_t kCaps = kFlushGlobalCap | kFlushPersistentCap;

// What a program sees of a device's flush.
struct Offer {
  bool caps = false, rights = false, send_op = false, atomic_write = false;
  bool operator==(const Offer&) const = default;
};

// Both in the same domain.
ibv_qp* CreateQpWith(uint64_t send_ops_flags, ibv_pd* pd, ibv_cq* cq) {
  ibv_qp_init_attr_ex attr{};
  attr.send_cq = attr.recv_cq = cq;
  attr.cap = {1, 1, 1, 1, 0};
  attr.qp_type = IBV_QPT_RC;
  attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
  attr.pd = pd;
  attr.send_ops_flags = send_ops_flags;
  return ibv_create_qp_ex(pd->context, &attr);
}

Offer WhatIsOffered() {
  ibv_context* context = ibv_open_device(nullptr);
  ibv_pd* pd = ibv_alloc_pd(context);
  ibv_cq* cq = ibv_create_cq(context, 1, nullptr, nullptr, 0);
  ibv_device_attr_ex attr{};
  EXPECT_EQ(ibv_query_device_ex(context, nullptr, &attr), 0);
  static char memory[8];
  errno = 0;
  ibv_mr* mr = ibv_reg_mr(pd, memory, sizeof memory, static_cast<int>(access_flag::kFlush));
  EXPECT_EQ(errno, mr == nullptr ? EOPNOTSUPP : 0);
  ibv_qp* qp = CreateQpWith(kFlushSendOp, pd, cq);
  ibv_qp* other = CreateQpWith(IBV_QP_EX_WITH_ATOMIC_WRITE, pd, cq);
  const Offer offer{(attr.device_cap_flags_ex & kCaps) == kCaps, mr != nullptr, qp != nullptr,
                    other != nullptr};
  EXPECT_TRUE(offer.caps || (attr.device_cap_flags_ex & kCaps) == 0);
  if (mr != nullptr) ibv_dereg_mr(mr);
  for (ibv_qp* made : {qp, other}) {
    if (made != nullptr) ibv_destroy_qp(made);
  }
  ibv_destroy_cq(cq);
  ibv_dealloc_pd(pd);
  ibv_close_device(context);
  return offer;
}

TEST(FlushOffer, IsWhatTheProfileSays) {
  for (const char* profile : {"spec", "rxe", "mlx5", "mlx5-drop"}) {
    ASSERT_EQ(fakenic_set_profile(profile), 0);
    const bool offered = profile[0] != 'm';
    EXPECT_EQ(WhatIsOffered(), (Offer{offered, offered, offered, true})) << profile;
  }
  fakenic_set_profile("spec");
}

// In a process of its own, which reads the environment anew.
bool IsOfferedWithout(const char* operations, const Offer& expected) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("FAKENIC_WITHOUT", operations, 1);
    _exit(WhatIsOffered() == expected ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST(FlushOffer, IsTakenAwayByTheEnvironmentAloneOrWithTheAtomicWrite) {
  EXPECT_TRUE(IsOfferedWithout("flush", {false, false, false, true}));
  EXPECT_TRUE(IsOfferedWithout("atomic_write", {true, true, true, false}));
  EXPECT_TRUE(IsOfferedWithout("atomic_write,flush", {false, false, false, false}));
  EXPECT_TRUE(IsOfferedWithout("", {true, true, true, true}));
}

TEST(Flush, GoesThroughAConnectionBehindAWrite) {
  ProgramPair pair(7801);
  std::memcpy(pair.client.memory, "abcdefgh", 8);
  ibv_mr* mr = RegisterForFlush(pair.server.pd, pair.server.memory, sizeof pair.server.memory);
  ASSERT_NE(mr, nullptr);
  ibv_qp_ex* qp = ibv_qp_to_qp_ex(pair.client.id->qp);
  const auto to = reinterpret_cast<uintptr_t>(pair.server.memory);

  ibv_wr_start(qp);
  qp->wr_id = 1;
  qp->wr_flags = 0;
  ibv_wr_rdma_write(qp, mr->rkey, to);
  ibv_wr_set_sge(qp, pair.client.mr->lkey, reinterpret_cast<uintptr_t>(pair.client.memory), 8);
  qp->wr_id = 2;
  qp->wr_flags = IBV_SEND_SIGNALED;
  WrFlushOf(qp, mr->rkey, to, 8, flush_type::kPersistent, flush_level::kRange);
  EXPECT_EQ(ibv_wr_complete(qp), 0);

  ibv_wc wc{};
  ASSERT_EQ(ibv_poll_cq(pair.client.cq, 1, &wc), 1);
  EXPECT_EQ(wc.wr_id, 2u);
  EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  EXPECT_EQ(int{wc.opcode}, static_cast<int>(WcOpcode::kFlush));
  EXPECT_EQ(std::memcmp(pair.server.memory, "abcdefgh", 8), 0);
  EXPECT_EQ(ibv_dereg_mr(mr), 0);
}

TEST(Flush, OfARegionWithoutTheRightIsRefusedByTheResponder) {
  ProgramPair pair(7802);
  ibv_qp_ex* qp = ibv_qp_to_qp_ex(pair.client.id->qp);

  ibv_wr_start(qp);
  qp->wr_flags = 0;
  WrFlushOf(qp, pair.server.mr->rkey, reinterpret_cast<uintptr_t>(pair.server.memory), 8,
            flush_type::kGlobal, flush_level::kMr);
  EXPECT_EQ(ibv_wr_complete(qp), 0);

  ibv_wc wc{};
  ASSERT_EQ(ibv_poll_cq(pair.client.cq, 1, &wc), 1);
  EXPECT_EQ(wc.status, IBV_WC_REM_ACCESS_ERR);
  AcknowledgeEvents(pair.server.id->verbs);
}

TEST(Flush, OfAnUnknownTypeDropsItsBatch) {
  ProgramPair pair(7803);
  ibv_qp_ex* qp = ibv_qp_to_qp_ex(pair.client.id->qp);

  ibv_wr_start(qp);
  WrFlushOf(qp, pair.server.mr->rkey, reinterpret_cast<uintptr_t>(pair.server.memory), 8,
            /*type=*/0, flush_level::kRange);

  EXPECT_EQ(ibv_wr_complete(qp), EINVAL);
}

TEST(Flush, CannotBePostedWithoutABuilder) {
  ProgramPair pair(7804);
  const auto opcode = static_cast<ibv_wr_opcode>(WrOpcode::kFlush);

  EXPECT_EQ(pair.client.Write(pair.server, 1, 8, IBV_SEND_SIGNALED, opcode), EINVAL);
}

TEST(Flush, IsDescribedAmongTheSteps) {
  ProgramPair pair(7805);
  ibv_mr* mr = RegisterForFlush(pair.server.pd, pair.server.memory, sizeof pair.server.memory);
  fakenic_set_schedule(FAKENIC_MANUAL);
  ibv_qp_ex* qp = ibv_qp_to_qp_ex(pair.client.id->qp);
  ibv_wr_start(qp);
  qp->wr_id = 7;
  WrFlushOf(qp, mr->rkey, reinterpret_cast<uintptr_t>(pair.server.memory), 8, flush_type::kGlobal,
            flush_level::kRange);
  EXPECT_EQ(ibv_wr_complete(qp), 0);
  EXPECT_EQ(fakenic_step(0), 0);  // it is delivered

  char text[80];
  EXPECT_EQ(fakenic_describe_step(0, text, sizeof text), 0);
  EXPECT_NE(std::strstr(text, "wr 0x7: flush 8 bytes at 0x"), nullptr) << text;
  fakenic_set_schedule(FAKENIC_EAGER);
  EXPECT_EQ(ibv_dereg_mr(mr), 0);
}

}  // namespace
}  // namespace fakenic
