// Endpoints: rdma_create_ep(3), rdma_get_request(3).
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

#include "abi/cm_objects.h"
#include "abi/edge.h"

namespace fakenic {
namespace {

constexpr int kResolveTimeoutMs = 2000;

int MakePassive(rdma_cm_id* id, const rdma_addrinfo& info, ibv_pd* pd,
                const ibv_qp_init_attr* attr) {
  if (rdma_bind_addr(id, info.ai_src_addr) != 0) return -1;
  if (pd != nullptr) id->pd = pd;
  if (attr != nullptr) {
    FromId(id).qp_init_attr = *attr;
    FromId(id).qp_init_attr->qp_type = static_cast<ibv_qp_type>(info.ai_qp_type);
  }
  return 0;
}

int MakeActive(rdma_cm_id* id, const rdma_addrinfo& info, ibv_pd* pd, ibv_qp_init_attr* attr) {
  if (rdma_resolve_addr(id, info.ai_src_addr, info.ai_dst_addr, kResolveTimeoutMs) != 0) return -1;
  if (info.ai_route_len > 0) {
    if (rdma_set_option(id, RDMA_OPTION_IB, RDMA_OPTION_IB_PATH, info.ai_route,
                        info.ai_route_len) != 0) {
      return -1;
    }
    DropResult(FromId(id));
    if (AwaitResult(FromId(id)) != 0) return -1;
  } else if (rdma_resolve_route(id, kResolveTimeoutMs) != 0) {
    return -1;
  }
  if (attr != nullptr) {
    attr->qp_type = static_cast<ibv_qp_type>(info.ai_qp_type);
    if (rdma_create_qp(id, pd, attr) != 0) return -1;
  }
  const auto* connect = static_cast<const uint8_t*>(info.ai_connect);
  FromId(id).connect_data.assign(connect, connect + info.ai_connect_len);
  return 0;
}

}  // namespace
}  // namespace fakenic

using fakenic::Cm;
using fakenic::FakeCmId;
using fakenic::FromId;

extern "C" {

int rdma_create_ep(rdma_cm_id** id, rdma_addrinfo* res, ibv_pd* pd, ibv_qp_init_attr* attr) {
  rdma_cm_id* made = nullptr;
  const auto type = static_cast<ibv_qp_type>(res->ai_qp_type);
  const auto ps = static_cast<rdma_port_space>(res->ai_port_space);
  if (fakenic::CreateId(nullptr, &made, nullptr, ps, type) != 0) return -1;
  const bool passive = (res->ai_flags & RAI_PASSIVE) != 0;
  const int result = passive ? fakenic::MakePassive(made, *res, pd, attr)
                             : fakenic::MakeActive(made, *res, pd, attr);
  if (result != 0) {
    const int error = errno;
    rdma_destroy_ep(made);
    return Cm(error);
  }
  *id = made;
  return 0;
}

void rdma_destroy_ep(rdma_cm_id* id) {
  if (id->qp != nullptr) rdma_destroy_qp(id);
  if (id->srq != nullptr) rdma_destroy_srq(id);
  rdma_destroy_id(id);
}

// A request that fails stays the listener's result until its next call, as that of any other.
int rdma_get_request(rdma_cm_id* listen, rdma_cm_id** id) {
  if (const int error = fakenic::edge().faults.Fire("rdma_get_request")) return Cm(error);
  FakeCmId& fake = FromId(listen);
  if (!fake.sync) return Cm(EINVAL);
  fakenic::DropResult(fake);
  rdma_cm_event* event = nullptr;
  if (rdma_get_cm_event(listen->channel, &event) != 0) return -1;
  int error = 0;
  if (event->status != 0) error = event->status < 0 ? -event->status : event->status;
  if (error == 0 && event->event != RDMA_CM_EVENT_CONNECT_REQUEST) error = EINVAL;
  if (error == 0 && fake.qp_init_attr) {
    ibv_qp_init_attr attr = *fake.qp_init_attr;
    if (rdma_create_qp(event->id, listen->pd, &attr) != 0) error = errno;
  }
  if (error != 0) {
    listen->event = event;
    return Cm(error);
  }
  *id = event->id;
  (*id)->event = event;
  return 0;
}

}  // extern "C"
