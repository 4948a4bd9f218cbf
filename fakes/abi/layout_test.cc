// The layouts that inline code in programs relies on, as rdma-core 44's headers have them.
#include <gtest/gtest.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include <cstddef>

#include "abi/objects.h"
#include "cm/cm_event.h"
#include "nic/qp_attr.h"
#include "nic/types.h"

namespace fakenic {
namespace {

// A program finds ops, async_fd and abi_compat through these offsets.
static_assert(offsetof(ibv_context, ops) == 8);
static_assert(offsetof(ibv_context, async_fd) == 268);
static_assert(offsetof(ibv_context, abi_compat) == 320);
static_assert(sizeof(ibv_context) == 328);
static_assert(offsetof(ibv_context_ops, poll_cq) == 88);
static_assert(offsetof(ibv_context_ops, req_notify_cq) == 96);
static_assert(offsetof(ibv_context_ops, post_send) == 200);
static_assert(offsetof(ibv_context_ops, post_recv) == 208);
// It grows at its front.
static_assert(offsetof(verbs_context, context) - offsetof(verbs_context, sz) == 8);
static_assert(offsetof(verbs_context, context) >= 320);
static_assert(sizeof(ibv_pd) == 16 && sizeof(ibv_mr) == 48 && sizeof(ibv_cq) == 128);
static_assert(sizeof(ibv_qp) == 160);
static_assert(offsetof(ibv_qp_ex, wr_start) == 320 && offsetof(ibv_qp_ex, wr_atomic_write) == 344);
// Programs that were built with rdma-core 45 find wr_flush behind it.
static_assert(sizeof(ibv_qp_ex) == (HasWrFlush<ibv_qp_ex> ? 360 : 352));
static_assert(sizeof(WithWrFlush<ibv_qp_ex>) == 360);
static_assert(sizeof(ibv_wc) == 48 && sizeof(ibv_send_wr) == 128 && sizeof(ibv_recv_wr) == 32);
static_assert(sizeof(ibv_sge) == 16 && sizeof(ibv_comp_channel) == 16);
static_assert(sizeof(rdma_cm_id) == 416 && sizeof(rdma_cm_event) == 80);
static_assert(sizeof(rdma_event_channel) == 4 && sizeof(rdma_addrinfo) == 96);

// As headers of rdma-core 45 have it.
struct NewerQpEx {
  char as_in_44[352];
  WrFlush* wr_flush;
};
static_assert(HasWrFlush<NewerQpEx> && sizeof(WithWrFlush<NewerQpEx>) == 360);
template <typename QpEx>
constexpr size_t OffsetOfWrFlush() {
  if constexpr (HasWrFlush<QpEx>) {
    return offsetof(WithWrFlush<QpEx>, ex) + offsetof(QpEx, wr_flush);
  } else {
    return offsetof(WithWrFlush<QpEx>, flush);
  }
}
static_assert(OffsetOfWrFlush<ibv_qp_ex>() == 352 && OffsetOfWrFlush<NewerQpEx>() == 352);

// Whether the words of a flush, where the headers know them, have the model's values.
template <typename WrOpcodes, typename WcOpcodes, typename AccessFlags, typename SendOps>
constexpr bool FlushWordsAgree() {
  if constexpr (requires { WrOpcodes::IBV_WR_FLUSH; }) {
    return int{WrOpcodes::IBV_WR_FLUSH} == static_cast<int>(WrOpcode::kFlush) &&
           int{WcOpcodes::IBV_WC_FLUSH} == static_cast<int>(WcOpcode::kFlush) &&
           uint32_t{AccessFlags::IBV_ACCESS_FLUSH_GLOBAL} == access_flag::kFlushGlobal &&
           uint32_t{AccessFlags::IBV_ACCESS_FLUSH_PERSISTENT} == access_flag::kFlushPersistent &&
           uint64_t{SendOps::IBV_QP_EX_WITH_FLUSH} == kFlushSendOp;
  }
  return true;
}
static_assert(FlushWordsAgree<ibv_wr_opcode, ibv_wc_opcode, ibv_access_flags,
                              ibv_qp_create_send_ops_flags>());

// The model's words have the values of the C interface.
static_assert(static_cast<int>(WcStatus::kLocLenErr) == IBV_WC_LOC_LEN_ERR);
static_assert(static_cast<int>(WcStatus::kLocProtErr) == IBV_WC_LOC_PROT_ERR);
static_assert(static_cast<int>(WcStatus::kWrFlushErr) == IBV_WC_WR_FLUSH_ERR);
static_assert(static_cast<int>(WcStatus::kRemInvReqErr) == IBV_WC_REM_INV_REQ_ERR);
static_assert(static_cast<int>(WcStatus::kRemAccessErr) == IBV_WC_REM_ACCESS_ERR);
static_assert(static_cast<int>(WcStatus::kRetryExcErr) == IBV_WC_RETRY_EXC_ERR);
static_assert(static_cast<int>(WcOpcode::kRdmaWrite) == IBV_WC_RDMA_WRITE);
static_assert(static_cast<int>(WcOpcode::kRdmaRead) == IBV_WC_RDMA_READ);
static_assert(static_cast<int>(WrOpcode::kRdmaRead) == IBV_WR_RDMA_READ);
static_assert(static_cast<int>(WcOpcode::kAtomicWrite) == IBV_WC_ATOMIC_WRITE);
static_assert(static_cast<int>(WrOpcode::kRdmaWrite) == IBV_WR_RDMA_WRITE);
static_assert(static_cast<int>(WrOpcode::kAtomicWrite) == IBV_WR_ATOMIC_WRITE);
static_assert(static_cast<int>(QpState::kInit) == IBV_QPS_INIT);
static_assert(static_cast<int>(QpState::kErr) == IBV_QPS_ERR);
static_assert(send_flag::kInline == IBV_SEND_INLINE && send_flag::kSignaled == IBV_SEND_SIGNALED);
static_assert(access_flag::kRemoteAtomic == IBV_ACCESS_REMOTE_ATOMIC);
static_assert(qp_mask::kDestQpn == IBV_QP_DEST_QPN && qp_mask::kSqPsn == IBV_QP_SQ_PSN);
static_assert(static_cast<int>(CmEventType::kDisconnected) == RDMA_CM_EVENT_DISCONNECTED);
static_assert(static_cast<int>(AsyncEventType::kQpAccessErr) == IBV_EVENT_QP_ACCESS_ERR);

TEST(Layout, TheContextThatAProgramHoldsLeadsBackToOurs) {
  ibv_context* context = ibv_open_device(nullptr);
  ASSERT_NE(context, nullptr);

  EXPECT_EQ(context->abi_compat, reinterpret_cast<void*>(UINTPTR_MAX));
  EXPECT_EQ(&FromContext(context)->verbs.context, context);
  EXPECT_NE(verbs_get_ctx_op(context, query_device_ex), nullptr);
  EXPECT_EQ(verbs_get_ctx_op(context, create_srq_ex), nullptr);
  ibv_close_device(context);
}

}  // namespace
}  // namespace fakenic
