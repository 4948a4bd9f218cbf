#include "conn.h"
#include "conn_req.h"
#include "mr_local.h"
#include "post_send.h"
#include "srq.h"

namespace rpma {
namespace {

[[gnu::cold, gnu::noinline]] int RecvFailure(int result, const char* call) noexcept {
  return VerbsFailure(result, call, Place());
}

int Post(ibv_qp* qp, ibv_recv_wr* wr) noexcept {
  ibv_recv_wr* bad_wr;
  const int result = ibv_post_recv(qp, wr, &bad_wr);
  return result == 0 ? 0 : RecvFailure(result, "ibv_post_recv");
}

int Post(ibv_srq* srq, ibv_recv_wr* wr) noexcept {
  ibv_recv_wr* bad_wr;
  const int result = ibv_post_srq_recv(srq, wr, &bad_wr);
  return result == 0 ? 0 : RecvFailure(result, "ibv_post_srq_recv");
}

// Posts a receive to a queue: a QP or an SRQ.
template <typename Queue>
int Recv(Queue* queue, const rpma_mr_local* dst, size_t offset, size_t len,
         const void* op_context) noexcept {
  ibv_sge sge;
  ibv_recv_wr wr;
  if (dst == nullptr) [[unlikely]] {
    if (offset != 0 || len != 0) return RPMA_E_INVAL;
    wr.sg_list = nullptr;
    wr.num_sge = 0;
  } else {
    if (len > kMaxMessageSize) return RPMA_E_INVAL;
    sge.addr = dst->addr + offset;
    sge.length = static_cast<uint32_t>(len);
    sge.lkey = dst->lkey;
    wr.sg_list = &sge;
    wr.num_sge = 1;
  }
  wr.wr_id = WrId(op_context);
  wr.next = nullptr;
  return Post(queue, &wr);
}

}  // namespace
}  // namespace rpma

int rpma_recv(struct rpma_conn* conn, struct rpma_mr_local* dst, size_t offset, size_t len,
              const void* op_context) {
  if (conn == nullptr) return RPMA_E_INVAL;
  return rpma::Recv(conn->qp, dst, offset, len, op_context);
}

int rpma_conn_req_recv(struct rpma_conn_req* req, struct rpma_mr_local* dst, size_t offset,
                       size_t len, const void* op_context) {
  if (req == nullptr) return RPMA_E_INVAL;
  return rpma::Recv(req->conn->qp, dst, offset, len, op_context);
}

int rpma_srq_recv(struct rpma_srq* srq, struct rpma_mr_local* dst, size_t offset, size_t len,
                  const void* op_context) {
  if (srq == nullptr) return RPMA_E_INVAL;
  return rpma::Recv(srq->srq.get(), dst, offset, len, op_context);
}
