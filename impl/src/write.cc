#include <arpa/inet.h>

#include "post_rdma.h"

namespace rpma {
namespace {

// Apart, so that a refusal costs no stack frame.
[[gnu::noinline]] int Write(rpma_conn* conn, rpma_mr_remote* dst, size_t dst_offset,
                            const rpma_mr_local* src, size_t src_offset, size_t len, int flags,
                            const void* op_context) noexcept {
  return PostRdma(IBV_WR_RDMA_WRITE, /*imm_data=*/0, conn, dst, dst_offset, src, src_offset, len,
                  flags, op_context);
}

}  // namespace
}  // namespace rpma

int rpma_write(struct rpma_conn* conn, struct rpma_mr_remote* dst, size_t dst_offset,
               const struct rpma_mr_local* src, size_t src_offset, size_t len, int flags,
               const void* op_context) {
  if (flags == 0 || conn == nullptr) return RPMA_E_INVAL;
  return rpma::Write(conn, dst, dst_offset, src, src_offset, len, flags, op_context);
}

int rpma_write_with_imm(struct rpma_conn* conn, struct rpma_mr_remote* dst, size_t dst_offset,
                        const struct rpma_mr_local* src, size_t src_offset, size_t len, int flags,
                        uint32_t imm, const void* op_context) {
  if (flags == 0 || conn == nullptr) return RPMA_E_INVAL;
  return rpma::PostRdma(IBV_WR_RDMA_WRITE_WITH_IMM, htonl(imm), conn, dst, dst_offset, src,
                        src_offset, len, flags, op_context);
}
