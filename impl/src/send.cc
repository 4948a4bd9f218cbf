#include <arpa/inet.h>

#include "conn.h"
#include "mr_local.h"
#include "post_send.h"

namespace rpma {
namespace {

[[gnu::always_inline]] inline int Send(ibv_wr_opcode opcode, __be32 imm_data, rpma_conn* conn,
                                       const rpma_mr_local* src, size_t offset, size_t len,
                                       int flags, const void* op_context) noexcept {
  ibv_sge sge;
  ibv_send_wr wr;  // only what post_send reads for the opcode is set
  if (src == nullptr) [[unlikely]] {
    if (offset != 0 || len != 0) return RPMA_E_INVAL;
    wr.sg_list = nullptr;
    wr.num_sge = 0;
  } else {
    if (len > kMaxMessageSize) return RPMA_E_INVAL;
    sge.addr = src->addr + offset;
    sge.length = static_cast<uint32_t>(len);
    sge.lkey = src->lkey;
    wr.sg_list = &sge;
    wr.num_sge = 1;
  }
  if (opcode == IBV_WR_SEND_WITH_IMM) wr.imm_data = imm_data;
  return PostSend(conn->qp, &wr, opcode, SignaledFlag(flags), op_context);
}

}  // namespace
}  // namespace rpma

int rpma_send(struct rpma_conn* conn, const struct rpma_mr_local* src, size_t offset, size_t len,
              int flags, const void* op_context) {
  if (flags == 0 || conn == nullptr) return RPMA_E_INVAL;
  return rpma::Send(IBV_WR_SEND, /*imm_data=*/0, conn, src, offset, len, flags, op_context);
}

int rpma_send_with_imm(struct rpma_conn* conn, const struct rpma_mr_local* src, size_t offset,
                       size_t len, int flags, uint32_t imm, const void* op_context) {
  if (flags == 0 || conn == nullptr) return RPMA_E_INVAL;
  return rpma::Send(IBV_WR_SEND_WITH_IMM, htonl(imm), conn, src, offset, len, flags, op_context);
}
