// Queue pairs: ibv_create_qp(3), ibv_modify_qp(3), ibv_query_qp(3).
#include "nic/qp.h"

#include <infiniband/verbs.h>

#include "abi/edge.h"
#include "abi/objects.h"
#include "abi/owed_acks.h"
#include "abi/qp_path.h"

namespace fakenic {
namespace {

// The send operations that a queue pair can be created with.
uint64_t OfferedSendOps() {
  uint64_t ops = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
                 IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_SEND_WITH_INV |
                 IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
                 IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD;
  if (edge().offers_atomic_write) ops |= IBV_QP_EX_WITH_ATOMIC_WRITE;
  if (edge().fabric.device().offers_flush()) ops |= kFlushSendOp;
  return ops;
}

int CheckInit(const ibv_qp_init_attr_ex& attr) {
  const uint32_t known = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
  if ((attr.comp_mask & ~known) != 0) return EOPNOTSUPP;
  if ((attr.comp_mask & IBV_QP_INIT_ATTR_PD) == 0 || attr.pd == nullptr) return EINVAL;
  if (attr.qp_type != IBV_QPT_RC) return EOPNOTSUPP;
  if (attr.send_cq == nullptr || attr.recv_cq == nullptr) return EINVAL;
  const bool built = (attr.comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) != 0;
  return built && (attr.send_ops_flags & ~OfferedSendOps()) != 0 ? EOPNOTSUPP : 0;
}

// A queue pair with a shared receive queue has no receives of its own.
void DropUnusedCaps(ibv_qp_init_attr_ex& attr) {
  if (attr.srq != nullptr) attr.cap.max_recv_wr = attr.cap.max_recv_sge = 0;
}

QpCap FromCap(const ibv_qp_cap& cap) {
  return {cap.max_send_wr, cap.max_recv_wr, cap.max_send_sge, cap.max_recv_sge,
          cap.max_inline_data};
}

QpAttr FromAttr(const ibv_qp_attr& attr) {
  QpAttr result;
  result.state = static_cast<QpState>(attr.qp_state);
  result.cur_state = static_cast<QpState>(attr.cur_qp_state);
  result.access_flags = attr.qp_access_flags;
  result.pkey_index = attr.pkey_index;
  result.port_num = attr.port_num;
  result.path_mtu = static_cast<uint8_t>(attr.path_mtu);
  result.dest_qp_num = attr.dest_qp_num;
  result.rq_psn = attr.rq_psn;
  result.sq_psn = attr.sq_psn;
  result.max_rd_atomic = attr.max_rd_atomic;
  result.max_dest_rd_atomic = attr.max_dest_rd_atomic;
  result.min_rnr_timer = attr.min_rnr_timer;
  result.timeout = attr.timeout;
  result.retry_cnt = attr.retry_cnt;
  result.rnr_retry = attr.rnr_retry;
  result.ah_port_num = attr.ah_attr.port_num;
  result.en_sqd_async_notify = attr.en_sqd_async_notify != 0;
  return result;
}

void ToAttr(const QpAttr& from, ibv_qp_attr& to) {
  to.qp_state = to.cur_qp_state = static_cast<ibv_qp_state>(from.state);
  to.qp_access_flags = from.access_flags;
  to.pkey_index = from.pkey_index;
  to.port_num = from.port_num;
  to.path_mtu = static_cast<ibv_mtu>(from.path_mtu);
  to.dest_qp_num = from.dest_qp_num;
  to.rq_psn = from.rq_psn;
  to.sq_psn = from.sq_psn;
  to.max_rd_atomic = from.max_rd_atomic;
  to.max_dest_rd_atomic = from.max_dest_rd_atomic;
  to.min_rnr_timer = from.min_rnr_timer;
  to.timeout = from.timeout;
  to.retry_cnt = from.retry_cnt;
  to.rnr_retry = from.rnr_retry;
}

void FillQp(FakeQp& fake, ibv_context* context, const ibv_qp_init_attr_ex& attr) {
  ibv_qp& qp = fake.ex.qp_base;
  qp.context = context;
  qp.qp_context = attr.qp_context;
  qp.pd = attr.pd;
  qp.send_cq = attr.send_cq;
  qp.recv_cq = attr.recv_cq;
  qp.srq = attr.srq;
  qp.handle = fake.model->handle;
  qp.qp_num = fake.model->num;
  qp.state = IBV_QPS_RESET;
  qp.qp_type = attr.qp_type;
  pthread_mutex_init(&qp.mutex, nullptr);
  pthread_cond_init(&qp.cond, nullptr);
  fake.init_attr = {.qp_context = attr.qp_context,
                    .send_cq = attr.send_cq,
                    .recv_cq = attr.recv_cq,
                    .srq = attr.srq,
                    .cap = attr.cap,
                    .qp_type = attr.qp_type,
                    .sq_sig_all = attr.sq_sig_all};
  fake.built = (attr.comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) != 0;
  if (fake.built) FillBuilders(fake, attr.send_ops_flags);
}

}  // namespace

ibv_qp_init_attr_ex Extended(const ibv_qp_init_attr& attr) {
  ibv_qp_init_attr_ex full{};
  full.qp_context = attr.qp_context;
  full.send_cq = attr.send_cq;
  full.recv_cq = attr.recv_cq;
  full.srq = attr.srq;
  full.cap = attr.cap;
  full.qp_type = attr.qp_type;
  full.sq_sig_all = attr.sq_sig_all;
  return full;
}

ibv_qp* CreateQp(ibv_context* context, ibv_qp_init_attr_ex* attr) {
  if (const int error = edge().faults.Fire("ibv_create_qp")) return Null<ibv_qp>(error);
  if (const int error = CheckInit(*attr)) return Null<ibv_qp>(error);
  const Locked locked;
  Context& model = FromContext(context)->model;
  Srq* srq = nullptr;
  if (attr->srq != nullptr) {
    DropUnusedCaps(*attr);
    srq = model.FindSrq(attr->srq->handle);
    if (srq == nullptr) return Null<ibv_qp>(ENOENT);
  }
  const Made<Qp> made =
      model.CreateQp(attr->pd->handle, attr->send_cq->handle, attr->recv_cq->handle,
                     FromCap(attr->cap), attr->sq_sig_all != 0, srq);
  if (made.error != 0) return Null<ibv_qp>(made.error);
  attr->cap.max_inline_data = made.object->init().cap.max_inline_data;
  auto* fake = new FakeQp;
  fake->model = made.object;
  fake->model->user = fake;
  FillQp(*fake, context, *attr);
  return &fake->ex.qp_base;
}

}  // namespace fakenic

using fakenic::edge;
using fakenic::FakeQp;
using fakenic::From;
using fakenic::FromContext;
using fakenic::Locked;

extern "C" {

ibv_qp* ibv_create_qp(ibv_pd* pd, ibv_qp_init_attr* attr) {
  ibv_qp_init_attr_ex full = fakenic::Extended(*attr);
  full.comp_mask = IBV_QP_INIT_ATTR_PD;
  full.pd = pd;
  ibv_qp* qp = fakenic::CreateQp(pd->context, &full);
  if (qp != nullptr) attr->cap = full.cap;
  return qp;
}

ibv_qp_ex* ibv_qp_to_qp_ex(ibv_qp* qp) {
  FakeQp* fake = From<FakeQp>(qp);
  return fake->built ? &fake->ex : nullptr;
}

int ibv_modify_qp(ibv_qp* qp, ibv_qp_attr* attr, int attr_mask) {
  if (const int error = edge().faults.Fire("ibv_modify_qp")) return fakenic::Verb(error);
  const Locked locked;
  fakenic::Qp* model = FromContext(qp->context)->model.FindQp(qp->handle);
  if (model == nullptr) return fakenic::Verb(ENOENT);
  const auto mask = static_cast<uint32_t>(attr_mask);
  const bool known_state = !(mask & IBV_QP_STATE) || attr->qp_state <= IBV_QPS_ERR;
  if (!known_state) return fakenic::Verb(EINVAL);
  fakenic::QpAttr wanted = fakenic::FromAttr(*attr);
  if (const int error = fakenic::FollowPath(attr->ah_attr, mask, wanted)) {
    return fakenic::Verb(error);
  }
  if (const int error = edge().fabric.ModifyQp(*model, wanted, mask)) return fakenic::Verb(error);
  FakeQp* fake = From<FakeQp>(qp);
  if (mask & IBV_QP_AV) fake->attr.ah_attr = attr->ah_attr;
  if (mask & IBV_QP_DEST_QPN) fake->attr.dest_qp_num = attr->dest_qp_num;
  if (mask & IBV_QP_STATE) qp->state = attr->qp_state;
  return 0;
}

int ibv_query_qp(ibv_qp* qp, ibv_qp_attr* attr, int, ibv_qp_init_attr* init_attr) {
  if (const int error = edge().faults.Fire("ibv_query_qp")) return fakenic::Verb(error);
  const Locked locked;
  const fakenic::Qp* model = FromContext(qp->context)->model.FindQp(qp->handle);
  if (model == nullptr) return fakenic::Verb(ENOENT);
  FakeQp* fake = From<FakeQp>(qp);
  *attr = fake->attr;
  fakenic::ToAttr(model->attr(), *attr);
  if (attr->dest_qp_num == fakenic::kNobody) attr->dest_qp_num = fake->attr.dest_qp_num;
  attr->sq_draining = edge().fabric.Draining(*model);
  attr->cap = fake->init_attr.cap;
  *init_attr = fake->init_attr;
  qp->state = attr->qp_state;
  return 0;
}

int ibv_destroy_qp(ibv_qp* qp) {
  if (const int error = edge().faults.Fire("ibv_destroy_qp")) return fakenic::Verb(error);
  FakeQp* fake = From<FakeQp>(qp);
  {
    const Locked locked;
    if (const int error = FromContext(qp->context)->model.DestroyQp(qp->handle)) {
      return fakenic::Verb(error);
    }
    fakenic::DropAsyncEvents(*FromContext(qp->context), qp);
  }
  fakenic::WaitUntilAcked(
      "ibv_destroy_qp", qp->mutex, qp->cond,
      {{"asynchronous events", fake->async_events_fetched, qp->events_completed}});
  delete fake;
  return 0;
}

}  // extern "C"
