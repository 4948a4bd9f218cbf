// For tests: two connected queue pairs made with the verbs alone, both ends in one context.
#pragma once

#include "abi/test_programs.h"

namespace fakenic {

inline int Modify(ibv_qp* qp, ibv_qp_state state, ibv_qp_attr attr, int mask) {
  attr.qp_state = state;
  return ibv_modify_qp(qp, &attr, IBV_QP_STATE | mask);
}

// The path to an end of the same device.
inline ibv_ah_attr PathHere(ibv_context* context) {
  ibv_ah_attr path{};
  path.port_num = 1;
  path.is_global = 1;
  path.grh.sgid_index = 1;
  EXPECT_EQ(ibv_query_gid(context, 1, 1, &path.grh.dgid), 0);
  return path;
}

// Moves a queue pair in RESET to RTS, answering to the queue pair with this number.
inline int MoveToRts(ibv_qp* qp, uint32_t dest_qp_num, const ibv_ah_attr& path) {
  ibv_qp_attr attr{};
  attr.port_num = 1;
  attr.ah_attr = path;
  attr.qp_access_flags =
      IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
  attr.path_mtu = IBV_MTU_1024;
  attr.dest_qp_num = dest_qp_num;
  attr.max_rd_atomic = attr.max_dest_rd_atomic = 4;
  attr.min_rnr_timer = 12;
  attr.timeout = 14;
  attr.retry_cnt = attr.rnr_retry = 7;
  if (const int error =
          Modify(qp, IBV_QPS_INIT, attr, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS)) {
    return error;
  }
  if (const int error = Modify(qp, IBV_QPS_RTR, attr,
                               IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                   IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)) {
    return error;
  }
  return Modify(qp, IBV_QPS_RTS, attr,
                IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                    IBV_QP_MAX_QP_RD_ATOMIC);
}

inline int MoveToRts(ibv_qp* qp, uint32_t dest_qp_num) {
  return MoveToRts(qp, dest_qp_num, PathHere(qp->context));
}

// The two ends share a domain and a region, and each has an extended CQ.
class RawPair {
 public:
  explicit RawPair(uint32_t cqe = 16) {
    for (int i = 0; i < 2; ++i) {
      ibv_cq_init_attr_ex cq_attr{};
      cq_attr.cqe = cqe;
      cq_attr.wc_flags = IBV_WC_STANDARD_FLAGS;
      cq[i] = ibv_create_cq_ex(context, &cq_attr);
      ibv_qp_init_attr attr{};
      attr.send_cq = attr.recv_cq = ibv_cq_ex_to_cq(cq[i]);
      attr.cap = {8, 8, 2, 2, 16};
      attr.qp_type = IBV_QPT_RC;
      qp[i] = ibv_create_qp(pd, &attr);
    }
    EXPECT_EQ(MoveToRts(qp[0], qp[1]->qp_num), 0);
    EXPECT_EQ(MoveToRts(qp[1], qp[0]->qp_num), 0);
  }

  ~RawPair() {
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(ibv_destroy_qp(qp[i]), 0);
      EXPECT_EQ(ibv_destroy_cq(ibv_cq_ex_to_cq(cq[i])), 0);
    }
    EXPECT_EQ(ibv_dereg_mr(mr), 0);
    EXPECT_EQ(ibv_dealloc_pd(pd), 0);
    ibv_close_device(context);
  }

  // Signaled, of the first words of the region; the remote address is the second half.
  ibv_send_wr Wr(uint64_t wr_id, ibv_wr_opcode opcode) {
    sge = {reinterpret_cast<uintptr_t>(memory), 8, mr->lkey};
    ibv_send_wr wr{};
    wr.wr_id = wr_id;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = opcode;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.imm_data = htonl(5);
    wr.wr.rdma = {reinterpret_cast<uintptr_t>(memory + 32), mr->rkey};
    return wr;
  }

  int Post(int end, ibv_send_wr wr) {
    ibv_send_wr* bad = nullptr;
    return ibv_post_send(qp[end], &wr, &bad);
  }

  int PostRecv(int end, uint64_t wr_id) {
    ibv_sge into{reinterpret_cast<uintptr_t>(memory + 32), 32, mr->lkey};
    ibv_recv_wr wr{wr_id, nullptr, &into, 1}, *bad = nullptr;
    return ibv_post_recv(qp[end], &wr, &bad);
  }

  ibv_context* context = ibv_open_device(nullptr);
  ibv_pd* pd = ibv_alloc_pd(context);
  alignas(8) char memory[64] = {};
  ibv_mr* mr = ibv_reg_mr(pd, memory, sizeof memory,
                          IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                              IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC);
  ibv_cq_ex* cq[2] = {};
  ibv_qp* qp[2] = {};
  ibv_sge sge{};
};

}  // namespace fakenic
