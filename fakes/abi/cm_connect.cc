// Connections: rdma_create_qp(3), rdma_connect(3), rdma_accept(3), rdma_reject(3),
// rdma_disconnect(3).
#include <rdma/rdma_cma.h>

#include "abi/cm_device.h"
#include "abi/cm_objects.h"
#include "abi/edge.h"

namespace fakenic {
namespace {

// What a caller without parameters gets: as much as the device can, and all retries.
constexpr rdma_conn_param kDefaultParam{.private_data = nullptr,
                                        .private_data_len = 0,
                                        .responder_resources = 255,
                                        .initiator_depth = 255,
                                        .flow_control = 0,
                                        .retry_count = 7,
                                        .rnr_retry_count = 7,
                                        .srq = 0,
                                        .qp_num = 0};

std::vector<uint8_t> Bytes(const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  return data == nullptr ? std::vector<uint8_t>() : std::vector<uint8_t>(bytes, bytes + size);
}

ConnParam FromParam(const rdma_conn_param* given) {
  const rdma_conn_param& param = given != nullptr ? *given : kDefaultParam;
  return {.private_data = Bytes(param.private_data, param.private_data_len),
          .responder_resources = param.responder_resources,
          .initiator_depth = param.initiator_depth,
          .flow_control = param.flow_control,
          .retry_count = std::min<uint8_t>(param.retry_count, 7),
          .rnr_retry_count = std::min<uint8_t>(param.rnr_retry_count, 7),
          .qp_num = param.qp_num};
}

// A CQ of the id's own, with a channel of its own, for a caller that brought none.
ibv_cq* CreateOwnCq(rdma_cm_id* id, uint32_t size, ibv_comp_channel** channel) {
  *channel = ibv_create_comp_channel(id->verbs);
  if (*channel == nullptr) return nullptr;
  ibv_cq* cq = ibv_create_cq(id->verbs, static_cast<int>(size), id, *channel, 0);
  if (cq != nullptr) return cq;
  const int error = errno;
  ibv_destroy_comp_channel(*channel);
  *channel = nullptr;
  return Null<ibv_cq>(error);
}

void DestroyOwnCqs(FakeCmId& fake) {
  rdma_cm_id& id = fake.id;
  if (fake.own_send_cq) {
    ibv_destroy_cq(id.send_cq);
    ibv_destroy_comp_channel(id.send_cq_channel);
    id.send_cq = nullptr;
    id.send_cq_channel = nullptr;
  }
  if (fake.own_recv_cq) {
    ibv_destroy_cq(id.recv_cq);
    ibv_destroy_comp_channel(id.recv_cq_channel);
    id.recv_cq = nullptr;
    id.recv_cq_channel = nullptr;
  }
  fake.own_send_cq = fake.own_recv_cq = false;
}

int CreateMissingCqs(FakeCmId& fake, ibv_qp_init_attr_ex& attr) {
  rdma_cm_id& id = fake.id;
  if (attr.send_cq == nullptr && attr.cap.max_send_wr > 0) {
    id.send_cq = CreateOwnCq(&id, attr.cap.max_send_wr, &id.send_cq_channel);
    if (id.send_cq == nullptr) return errno;
    fake.own_send_cq = true;
    attr.send_cq = id.send_cq;
  }
  if (attr.recv_cq == nullptr && attr.cap.max_recv_wr > 0) {
    id.recv_cq = CreateOwnCq(&id, attr.cap.max_recv_wr, &id.recv_cq_channel);
    if (id.recv_cq == nullptr) return errno;
    fake.own_recv_cq = true;
    attr.recv_cq = id.recv_cq;
  }
  return 0;
}

int CreateQpFor(FakeCmId& fake, ibv_qp_init_attr_ex* attr) {
  rdma_cm_id& id = fake.id;
  if (id.qp != nullptr || id.verbs == nullptr) return EINVAL;
  if ((attr->comp_mask & IBV_QP_INIT_ATTR_PD) == 0) {
    attr->comp_mask |= IBV_QP_INIT_ATTR_PD;
    attr->pd = id.pd;
  } else if (attr->pd->context != id.verbs) {
    return EINVAL;
  }
  if (attr->qp_type != id.qp_type) return EINVAL;
  int error = CreateMissingCqs(fake, *attr);
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
    DestroyOwnCqs(fake);
    return error;
  }
  qp->state = IBV_QPS_INIT;
  id.qp = qp;
  id.pd = attr->pd;
  return 0;
}

}  // namespace
}  // namespace fakenic

using fakenic::Cm;
using fakenic::edge;
using fakenic::FakeCmId;
using fakenic::FromId;
using fakenic::Locked;

extern "C" {

int rdma_create_qp_ex(rdma_cm_id* id, ibv_qp_init_attr_ex* attr) {
  if (const int error = edge().faults.Fire("rdma_create_qp")) return Cm(error);
  return Cm(fakenic::CreateQpFor(FromId(id), attr));
}

int rdma_create_qp(rdma_cm_id* id, ibv_pd* pd, ibv_qp_init_attr* attr) {
  if (const int error = edge().faults.Fire("rdma_create_qp")) return Cm(error);
  ibv_qp_init_attr_ex full = fakenic::Extended(*attr);
  if (pd != nullptr) {
    full.comp_mask = IBV_QP_INIT_ATTR_PD;
    full.pd = pd;
  }
  const int error = fakenic::CreateQpFor(FromId(id), &full);
  attr->cap = full.cap;
  return Cm(error);
}

void rdma_destroy_qp(rdma_cm_id* id) {
  FakeCmId& fake = FromId(id);
  {
    const Locked locked;
    fake.model->qp_num = 0;
  }
  ibv_destroy_qp(id->qp);
  id->qp = nullptr;
  fakenic::DestroyOwnCqs(fake);
}

int rdma_connect(rdma_cm_id* id, rdma_conn_param* param) {
  if (const int error = edge().faults.Fire("rdma_connect")) return Cm(error);
  FakeCmId& fake = FromId(id);
  fakenic::DropResult(fake);
  {
    const Locked locked;
    if (const int error = edge().cm.Connect(*fake.model, fakenic::FromParam(param)))
      return Cm(error);
  }
  return AwaitResult(fake);
}

int rdma_accept(rdma_cm_id* id, rdma_conn_param* param) {
  if (const int error = edge().faults.Fire("rdma_accept")) return Cm(error);
  FakeCmId& fake = FromId(id);
  fakenic::DropResult(fake);
  {
    const Locked locked;
    if (const int error = edge().cm.Accept(*fake.model, fakenic::FromParam(param)))
      return Cm(error);
    if (id->qp != nullptr) id->qp->state = IBV_QPS_RTS;
  }
  return AwaitResult(fake);
}

int rdma_reject(rdma_cm_id* id, const void* private_data, uint8_t private_data_len) {
  if (const int error = edge().faults.Fire("rdma_reject")) return Cm(error);
  const Locked locked;
  return Cm(edge().cm.Reject(*FromId(id).model, fakenic::Bytes(private_data, private_data_len)));
}

int rdma_establish(rdma_cm_id* id) {
  const Locked locked;
  return Cm(edge().cm.Establish(*FromId(id).model));
}

// A lost ready-to-use message does not happen here, so there is nothing to make up for.
int rdma_notify(rdma_cm_id*, ibv_event_type) { return 0; }

int rdma_disconnect(rdma_cm_id* id) {
  if (const int error = edge().faults.Fire("rdma_disconnect")) return Cm(error);
  FakeCmId& fake = FromId(id);
  fakenic::DropResult(fake);
  {
    const Locked locked;
    if (const int error = edge().cm.Disconnect(*fake.model)) return Cm(error);
    if (id->qp != nullptr) id->qp->state = IBV_QPS_ERR;
  }
  return 0;
}

}  // extern "C"
