#include "post_rdma.h"

int rpma_read(struct rpma_conn* conn, struct rpma_mr_local* dst, size_t dst_offset,
              const struct rpma_mr_remote* src, size_t src_offset, size_t len, int flags,
              const void* op_context) {
  if (flags == 0 || conn == nullptr) return RPMA_E_INVAL;
  return rpma::PostRdma(IBV_WR_RDMA_READ, /*imm_data=*/0, conn, src, src_offset, dst, dst_offset,
                        len, flags, op_context);
}
