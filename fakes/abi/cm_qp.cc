// The queue pair and the shared receive queue of an identifier: rdma_create_qp(3),
// rdma_create_srq(3).
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

#include "abi/cm_objects.h"
#include "abi/edge.h"

namespace fakenic {
namespace {

// A CQ of the id's own, with a channel of its own, for a caller that brought none.
int CreateOwnCq(rdma_cm_id* id, uint32_t size, ibv_comp_channel*& channel, ibv_cq*& cq) {
  channel = ibv_create_comp_channel(id->verbs);
  if (channel == nullptr) return errno;
  cq = ibv_create_cq(id->verbs, static_cast<int>(size), id, channel, 0);
  return cq != nullptr ? 0 : errno;
}

void DestroyOwnCq(ibv_comp_channel*& channel, ibv_cq*& cq) {
  if (cq != nullptr) ibv_destroy_cq(cq);
  if (channel != nullptr) ibv_destroy_comp_channel(channel);
  cq = nullptr;
  channel = nullptr;
}

void DestroyOwnCqs(rdma_cm_id& id) {
  DestroyOwnCq(id.send_cq_channel, id.send_cq);
  DestroyOwnCq(id.recv_cq_channel, id.recv_cq);
}

int CreateMissingCqs(rdma_cm_id& id, ibv_qp_init_attr_ex& attr) {
  int error = 0;
  if (attr.recv_cq == nullptr && id.recv_cq == nullptr && attr.cap.max_recv_wr > 0) {
    error = CreateOwnCq(&id, attr.cap.max_recv_wr, id.recv_cq_channel, id.recv_cq);
  }
  if (error == 0 && attr.send_cq == nullptr && id.send_cq == nullptr && attr.cap.max_send_wr > 0) {
    error = CreateOwnCq(&id, attr.cap.max_send_wr, id.send_cq_channel, id.send_cq);
  }
  if (attr.send_cq == nullptr) attr.send_cq = id.send_cq;
  if (attr.recv_cq == nullptr) attr.recv_cq = id.recv_cq;
  return error;
}

bool Differ(const ibv_cq* own, const ibv_cq* given) {
  return own != nullptr && given != nullptr && own != given;
}

int CheckQp(const rdma_cm_id& id, ibv_qp_init_attr_ex& attr) {
  if (id.qp != nullptr || id.verbs == nullptr) return EINVAL;
  if ((attr.comp_mask & IBV_QP_INIT_ATTR_PD) == 0 || attr.pd == nullptr) {
    attr.comp_mask |= IBV_QP_INIT_ATTR_PD;
    attr.pd = id.pd;
  } else if (attr.pd->context != id.verbs) {
    return EINVAL;
  }
  if (Differ(id.send_cq, attr.send_cq) || Differ(id.recv_cq, attr.recv_cq)) return EINVAL;
  return attr.qp_type == id.qp_type ? 0 : EINVAL;
}

int CreateQpFor(FakeCmId& fake, ibv_qp_init_attr_ex* attr) {
  rdma_cm_id& id = fake.id;
  if (const int error = CheckQp(id, *attr)) return error;
  int error = CreateMissingCqs(id, *attr);
  if (attr->srq == nullptr) attr->srq = id.srq;
  ibv_qp* qp = nullptr;
  if (error == 0) {
    qp = CreateQp(id.verbs, attr);
    if (qp == nullptr) error = errno;
  }
  if (error == 0) {
    const Locked locked;
    error = edge().cm.AttachQp(*fake.model, *From<FakeQp>(qp)->model);
  }
  if (error != 0) {
    if (qp != nullptr) ibv_destroy_qp(qp);
    DestroyOwnCqs(id);
    return error;
  }
  id.qp = qp;
  id.pd = attr->pd;
  NoteQpState(fake, IBV_QPS_INIT);
  return 0;
}

}  // namespace
}  // namespace fakenic

using fakenic::Cm;
using fakenic::edge;
using fakenic::FakeCmId;
using fakenic::FromId;

extern "C" {

int rdma_create_qp_ex(rdma_cm_id* id, ibv_qp_init_attr_ex* attr) {
  if (const int error = edge().faults.Fire("rdma_create_qp")) return Cm(error);
  return Cm(fakenic::CreateQpFor(FromId(id), attr));
}

int rdma_create_qp(rdma_cm_id* id, ibv_pd* pd, ibv_qp_init_attr* attr) {
  if (const int error = edge().faults.Fire("rdma_create_qp")) return Cm(error);
  ibv_qp_init_attr_ex full = fakenic::Extended(*attr);
  full.comp_mask = IBV_QP_INIT_ATTR_PD;
  full.pd = pd;
  const int error = fakenic::CreateQpFor(FromId(id), &full);
  attr->send_cq = full.send_cq;
  attr->recv_cq = full.recv_cq;
  attr->srq = full.srq;
  attr->cap = full.cap;
  return Cm(error);
}

void rdma_destroy_qp(rdma_cm_id* id) {
  FakeCmId& fake = FromId(id);
  {
    const fakenic::Locked locked;
    fake.model->qp_num = 0;
  }
  ibv_destroy_qp(id->qp);
  id->qp = nullptr;
  fakenic::DestroyOwnCqs(*id);
}

int rdma_create_srq_ex(rdma_cm_id* id, ibv_srq_init_attr_ex* attr) {
  if (id->verbs == nullptr || (attr->comp_mask & IBV_SRQ_INIT_ATTR_TYPE) == 0) return Cm(EINVAL);
  if ((attr->comp_mask & IBV_SRQ_INIT_ATTR_PD) == 0 || attr->pd == nullptr) {
    attr->pd = id->pd;
    attr->comp_mask |= IBV_SRQ_INIT_ATTR_PD;
  }
  ibv_srq* srq = ibv_create_srq_ex(id->verbs, attr);
  if (srq == nullptr) return -1;
  id->srq = srq;
  return 0;
}

int rdma_create_srq(rdma_cm_id* id, ibv_pd* pd, ibv_srq_init_attr* attr) {
  ibv_srq_init_attr_ex full{};
  full.srq_context = attr->srq_context;
  full.attr = attr->attr;
  full.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD;
  full.srq_type = IBV_SRQT_BASIC;
  full.pd = pd;
  const int result = rdma_create_srq_ex(id, &full);
  attr->attr = full.attr;
  return result;
}

void rdma_destroy_srq(rdma_cm_id* id) {
  ibv_destroy_srq(id->srq);
  id->srq = nullptr;
  fakenic::DestroyOwnCqs(*id);
}

}  // extern "C"
