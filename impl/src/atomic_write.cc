#include "conn.h"
#include "mr_remote.h"
#include "native_atomic_write.h"
#include "post_send.h"

namespace rpma {
namespace {

constexpr uint64_t kAlignment = RPMA_ATOMIC_WRITE_ALIGNMENT;

[[gnu::cold, gnu::noinline]] int CompleteFailure(int result) noexcept {
  return VerbsFailure(result, "ibv_wr_complete", Place());
}

[[gnu::noinline]] int PostNative(ibv_qp_ex* qp, uint32_t rkey, uint64_t remote_addr,
                                 const char* src, unsigned send_flags,
                                 const void* op_context) noexcept {
  ibv_wr_start(qp);
  qp->wr_id = WrId(op_context);
  qp->wr_flags = send_flags;
  WriteAtomically(qp, rkey, remote_addr, src);
  const int result = ibv_wr_complete(qp);
  if (result == 0) [[likely]] {
    return 0;
  }
  return CompleteFailure(result);
}

// An inline write: the device fetches nothing, and places an aligned 8 bytes in one piece.
int PostInline(ibv_qp* qp, uint32_t rkey, uint64_t remote_addr, const char* src,
               unsigned send_flags, const void* op_context) noexcept {
  ibv_sge sge = {
      .addr = reinterpret_cast<uintptr_t>(src), .length = RPMA_ATOMIC_WRITE_ALIGNMENT, .lkey = 0};
  ibv_send_wr wr;  // only what post_send reads of a write is set
  wr.sg_list = &sge;
  wr.num_sge = 1;
  wr.wr.rdma.remote_addr = remote_addr;
  wr.wr.rdma.rkey = rkey;
  return PostSend(qp, &wr, IBV_WR_RDMA_WRITE, send_flags | IBV_SEND_INLINE, op_context);
}

}  // namespace
}  // namespace rpma

int rpma_atomic_write(struct rpma_conn* conn, struct rpma_mr_remote* dst, size_t dst_offset,
                      const char src[8], int flags, const void* op_context) {
  if (flags == 0 || conn == nullptr || dst == nullptr || src == nullptr) return RPMA_E_INVAL;
  // The sum of two multiples of the alignment is one; a base that is none cannot be atomic.
  if (((dst->addr | dst_offset) & (rpma::kAlignment - 1)) != 0) return RPMA_E_INVAL;

  // Behind the reads posted before it: a flush may be one of them.
  const unsigned send_flags = rpma::SignaledFlag(flags) | IBV_SEND_FENCE;
  const uint64_t remote_addr = dst->addr + dst_offset;
  if (conn->atomic_write_qp != nullptr) {
    return rpma::PostNative(conn->atomic_write_qp, dst->rkey, remote_addr, src, send_flags,
                            op_context);
  }
  return rpma::PostInline(conn->qp, dst->rkey, remote_addr, src, send_flags, op_context);
}
