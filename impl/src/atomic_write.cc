#include "atomic_write.h"

#include "arguments.h"
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

// Behind the reads posted before it: a flush may be one of them.
unsigned SendFlags(int flags) noexcept { return SignaledFlag(flags) | IBV_SEND_FENCE; }

}  // namespace

int WriteNatively(const rpma_conn* conn, const rpma_mr_remote* dst, size_t dst_offset,
                  const char* src, int flags, const void* op_context) noexcept {
  ibv_qp_ex* const qp = conn->atomic_write_qp;
  ibv_wr_start(qp);
  qp->wr_id = WrId(op_context);
  qp->wr_flags = SendFlags(flags);
  WriteAtomically(qp, dst->rkey, dst->addr + dst_offset, src);
  const int result = ibv_wr_complete(qp);
  if (result == 0) [[likely]] {
    return 0;
  }
  return CompleteFailure(result);
}

int WriteInline(const rpma_conn* conn, const rpma_mr_remote* dst, size_t dst_offset,
                const char* src, int flags, const void* op_context) noexcept {
  ibv_sge sge = {
      .addr = reinterpret_cast<uintptr_t>(src), .length = RPMA_ATOMIC_WRITE_ALIGNMENT, .lkey = 0};
  ibv_send_wr wr;  // only what post_send reads of a write is set
  wr.sg_list = &sge;
  wr.num_sge = 1;
  wr.wr.rdma.remote_addr = dst->addr + dst_offset;
  wr.wr.rdma.rkey = dst->rkey;
  return PostSend(conn->qp, &wr, IBV_WR_RDMA_WRITE, SendFlags(flags) | IBV_SEND_INLINE, op_context);
}

}  // namespace rpma

int rpma_atomic_write(struct rpma_conn* conn, struct rpma_mr_remote* dst, size_t dst_offset,
                      const char src[8], int flags, const void* op_context) {
  if (flags == 0 || rpma::AnyIsNull(conn, dst, src)) return RPMA_E_INVAL;
  // The sum of two multiples of the alignment is one; a base that is none cannot be atomic.
  if (((dst->addr | dst_offset) & (rpma::kAlignment - 1)) != 0) return RPMA_E_INVAL;
  return conn->atomic_write(conn, dst, dst_offset, src, flags, op_context);
}
