// What reads and writes have in common. This is the data path: nothing here allocates or throws.
#pragma once

#include "conn.h"
#include "mr_local.h"
#include "mr_remote.h"
#include "post_send.h"

namespace rpma {

// An operation of no bytes names no memory at all.
[[gnu::noinline]] inline int PostRdmaOfNothing(ibv_qp* qp, ibv_wr_opcode opcode, __be32 imm_data,
                                               unsigned send_flags,
                                               const void* op_context) noexcept {
  ibv_send_wr wr{};
  wr.imm_data = imm_data;
  return PostSend(qp, &wr, opcode, send_flags, op_context);
}

// What is left when conn and flags are good. imm_data counts for the opcode that has one. In line,
// so that each operation keeps only its own part.
[[gnu::always_inline]] inline int PostRdma(ibv_wr_opcode opcode, __be32 imm_data, rpma_conn* conn,
                                           const rpma_mr_remote* remote, size_t remote_offset,
                                           const rpma_mr_local* local, size_t local_offset,
                                           size_t len, int flags, const void* op_context) noexcept {
  if (remote == nullptr || local == nullptr) [[unlikely]] {
    if (remote != nullptr || local != nullptr) return RPMA_E_INVAL;
    if (remote_offset != 0 || local_offset != 0 || len != 0) return RPMA_E_INVAL;
    return PostRdmaOfNothing(conn->qp, opcode, imm_data, SignaledFlag(flags), op_context);
  }
  if (len > kMaxMessageSize) return RPMA_E_INVAL;

  ibv_sge sge;
  sge.addr = local->addr + local_offset;
  sge.length = static_cast<uint32_t>(len);
  sge.lkey = local->lkey;
  ibv_send_wr wr;  // only what post_send reads for the opcode is set
  wr.sg_list = &sge;
  wr.num_sge = 1;
  if (opcode == IBV_WR_RDMA_WRITE_WITH_IMM) wr.imm_data = imm_data;
  wr.wr.rdma.remote_addr = remote->addr + remote_offset;
  wr.wr.rdma.rkey = remote->rkey;
  return PostSend(conn->qp, &wr, opcode, SignaledFlag(flags), op_context);
}

}  // namespace rpma
