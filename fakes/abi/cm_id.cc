// Identifiers: rdma_create_id(3), rdma_bind_addr(3), rdma_resolve_addr(3), rdma_listen(3),
// rdma_migrate_id(3).
#include <rdma/rdma_cma.h>

#include <cstring>
#include <memory>
#include <system_error>

#include "abi/cm_device.h"
#include "abi/cm_objects.h"
#include "abi/edge.h"
#include "abi/owed_acks.h"

namespace fakenic {
namespace {

// Sees to it that the ids to come find their device open. Returns 0 or an errno.
int OpenDevice() {
  const Locked locked;
  try {
    CmContext();
    return 0;
  } catch (const std::system_error& failure) {
    return failure.code().value();
  }
}

bool IsPortSpace(rdma_port_space ps) {
  return ps == RDMA_PS_TCP || ps == RDMA_PS_UDP || ps == RDMA_PS_IPOIB || ps == RDMA_PS_IB;
}

}  // namespace

void AwaitAcks(const char* call, Locked& locked, FakeCmId& fake) {
  ExplainWait(call, {"events of the id", fake.events_reported, fake.events_acked});
  edge().acked.wait(locked.lock(), [&] { return fake.events_acked == fake.events_reported; });
}

int CreateId(rdma_event_channel* channel, rdma_cm_id** id, void* context, rdma_port_space ps,
             ibv_qp_type qp_type) {
  if (!IsPortSpace(ps)) return Cm(EINVAL);
  if (const int error = OpenDevice()) return Cm(error);
  auto fake = std::make_unique<FakeCmId>();
  fake->sync = channel == nullptr;
  fake->id.channel = channel != nullptr ? channel : rdma_create_event_channel();
  if (fake->id.channel == nullptr) return -1;
  fake->id.context = context;
  fake->id.ps = ps;
  fake->id.qp_type = qp_type;
  const Locked locked;
  fake->model = edge().cm.CreateId(&FromChannel(fake->id.channel), ps);
  fake->model->user = fake.get();
  *id = &fake.release()->id;
  return 0;
}

}  // namespace fakenic

using fakenic::Address;
using fakenic::Cm;
using fakenic::edge;
using fakenic::FakeCmId;
using fakenic::FromId;
using fakenic::Locked;

extern "C" {

int rdma_create_id(rdma_event_channel* channel, rdma_cm_id** id, void* context,
                   rdma_port_space ps) {
  if (const int error = edge().faults.Fire("rdma_create_id")) return Cm(error);
  const bool datagrams = ps == RDMA_PS_UDP || ps == RDMA_PS_IPOIB;
  return fakenic::CreateId(channel, id, context, ps, datagrams ? IBV_QPT_UD : IBV_QPT_RC);
}

int rdma_destroy_id(rdma_cm_id* id) {
  if (const int error = edge().faults.Fire("rdma_destroy_id")) return Cm(error);
  FakeCmId& fake = FromId(id);
  fakenic::DropResult(fake);
  rdma_event_channel* own_channel = fake.sync ? id->channel : nullptr;
  {
    Locked locked;
    edge().cm.DestroyId(*fake.model);
    AwaitAcks("rdma_destroy_id", locked, fake);
    if (id->verbs != nullptr) fakenic::ReleaseCmPd();
  }
  if (own_channel != nullptr) rdma_destroy_event_channel(own_channel);
  delete &fake;
  return 0;
}

int rdma_bind_addr(rdma_cm_id* id, sockaddr* addr) {
  if (const int error = edge().faults.Fire("rdma_bind_addr")) return Cm(error);
  const Locked locked;
  FakeCmId& fake = FromId(id);
  const int error = edge().cm.BindAddr(*fake.model, Address::From(addr));
  if (error == 0) Refresh(fake);
  return Cm(error);
}

int rdma_listen(rdma_cm_id* id, int backlog) {
  if (const int error = edge().faults.Fire("rdma_listen")) return Cm(error);
  const Locked locked;
  FakeCmId& fake = FromId(id);
  const int error = edge().cm.Listen(*fake.model, backlog);
  if (error == 0) Refresh(fake);
  return Cm(error);
}

// What was resolved shows in the id once its event is fetched.
int rdma_resolve_addr(rdma_cm_id* id, sockaddr* src_addr, sockaddr* dst_addr, int timeout_ms) {
  if (const int error = edge().faults.Fire("rdma_resolve_addr")) return Cm(error);
  FakeCmId& fake = FromId(id);
  fakenic::DropResult(fake);
  const Address src = Address::From(src_addr), dst = Address::From(dst_addr);
  if (src_addr != nullptr && !src.specified()) return Cm(EINVAL);
  {
    const Locked locked;
    if (const int error = edge().cm.ResolveAddr(*fake.model, src, dst, timeout_ms)) {
      return Cm(error);
    }
    std::memcpy(&id->route.addr.dst_storage, dst.get(), dst.size());
  }
  return AwaitResult(fake);
}

int rdma_resolve_route(rdma_cm_id* id, int timeout_ms) {
  if (const int error = edge().faults.Fire("rdma_resolve_route")) return Cm(error);
  FakeCmId& fake = FromId(id);
  fakenic::DropResult(fake);
  {
    const Locked locked;
    if (const int error = edge().cm.ResolveRoute(*fake.model, timeout_ms)) return Cm(error);
  }
  return AwaitResult(fake);
}

int rdma_migrate_id(rdma_cm_id* id, rdma_event_channel* channel) {
  if (const int error = edge().faults.Fire("rdma_migrate_id")) return Cm(error);
  FakeCmId& fake = FromId(id);
  if (channel == nullptr && fake.sync) return Cm(EINVAL);
  rdma_event_channel* target = channel != nullptr ? channel : rdma_create_event_channel();
  if (target == nullptr) return -1;
  fakenic::DropResult(fake);
  rdma_event_channel* own_channel = fake.sync ? id->channel : nullptr;
  {
    Locked locked;
    edge().cm.Migrate(*fake.model, fakenic::FromChannel(target));
    id->channel = target;
    fake.sync = channel == nullptr;
    AwaitAcks("rdma_migrate_id", locked, fake);
  }
  if (own_channel != nullptr) rdma_destroy_event_channel(own_channel);
  return 0;
}

__be16 rdma_get_src_port(rdma_cm_id* id) {
  return htobe16(Address::From(&id->route.addr.src_addr).port());
}

__be16 rdma_get_dst_port(rdma_cm_id* id) {
  return htobe16(Address::From(&id->route.addr.dst_addr).port());
}

}  // extern "C"
