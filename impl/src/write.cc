#include "conn.h"
#include "mr_local.h"
#include "mr_remote.h"
#include "post_send.h"

namespace rpma {
namespace {

// The longest message that a reliable connection carries: 2^31 bytes.
constexpr size_t kMaxMessageSize = size_t{1} << 31;

// A write of no bytes names no memory at all.
[[gnu::noinline]] int WriteNothing(ibv_qp* qp, unsigned send_flags,
                                   const void* op_context) noexcept {
  ibv_send_wr wr{};
  return PostSend(qp, &wr, IBV_WR_RDMA_WRITE, send_flags, op_context);
}

// What is left when conn and flags are good. Apart, so that a refusal costs no stack frame.
[[gnu::noinline]] int Write(rpma_conn* conn, rpma_mr_remote* dst, size_t dst_offset,
                            const rpma_mr_local* src, size_t src_offset, size_t len, int flags,
                            const void* op_context) noexcept {
  if (dst == nullptr || src == nullptr) [[unlikely]] {
    if (dst != nullptr || src != nullptr) return RPMA_E_INVAL;
    if (dst_offset != 0 || src_offset != 0 || len != 0) return RPMA_E_INVAL;
    return WriteNothing(conn->qp, SignaledFlag(flags), op_context);
  }
  if (len > kMaxMessageSize) return RPMA_E_INVAL;

  ibv_sge sge;
  sge.addr = src->addr + src_offset;
  sge.length = static_cast<uint32_t>(len);
  sge.lkey = src->lkey;
  ibv_send_wr wr;  // only what post_send reads of a write is set
  wr.sg_list = &sge;
  wr.num_sge = 1;
  wr.wr.rdma.remote_addr = dst->addr + dst_offset;
  wr.wr.rdma.rkey = dst->rkey;
  return PostSend(conn->qp, &wr, IBV_WR_RDMA_WRITE, SignaledFlag(flags), op_context);
}

}  // namespace
}  // namespace rpma

int rpma_write(struct rpma_conn* conn, struct rpma_mr_remote* dst, size_t dst_offset,
               const struct rpma_mr_local* src, size_t src_offset, size_t len, int flags,
               const void* op_context) {
  if (conn == nullptr || flags == 0) return RPMA_E_INVAL;
  return rpma::Write(conn, dst, dst_offset, src, src_offset, len, flags, op_context);
}
