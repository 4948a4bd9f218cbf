// Identifiers: rdma_create_id(3), rdma_bind_addr(3), rdma_resolve_addr(3), rdma_listen(3),
// rdma_migrate_id(3).
#include <rdma/rdma_cma.h>

#include <cstring>
#include <memory>
#include <system_error>

#include "abi/cm_device.h"
#include "abi/cm_objects.h"
#include "abi/edge.h"

namespace fakenic {

void Refresh(FakeCmId& fake) {
  std::memcpy(&fake.id.route.addr.src_storage, fake.model->src.get(), fake.model->src.size());
  std::memcpy(&fake.id.route.addr.dst_storage, fake.model->dst.get(), fake.model->dst.size());
  if (!fake.model->has_device || fake.id.verbs != nullptr) return;
  fake.id.verbs = CmContext();
  fake.id.pd = AcquireCmPd();
  fake.id.port_num = 1;
}

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

}  // namespace

void AwaitAcks(Locked& locked, FakeCmId& fake) {
  edge().acked.wait(locked.lock(), [&] { return fake.events_acked == fake.events_reported; });
}

}  // namespace fakenic

using fakenic::Address;
using fakenic::Cm;
using fakenic::edge;
using fakenic::FakeCmId;
using fakenic::FakeEventChannel;
using fakenic::FromId;
using fakenic::Locked;

extern "C" {

int rdma_create_id(rdma_event_channel* channel, rdma_cm_id** id, void* context,
                   rdma_port_space ps) {
  if (const int error = edge().faults.Fire("rdma_create_id")) return Cm(error);
  if (const int error = fakenic::OpenDevice()) return Cm(error);
  auto fake = std::make_unique<FakeCmId>();
  fake->sync = channel == nullptr;
  fake->id.channel = channel != nullptr ? channel : rdma_create_event_channel();
  if (fake->id.channel == nullptr) return -1;
  fake->id.context = context;
  fake->id.ps = ps;
  fake->id.qp_type = ps == RDMA_PS_TCP || ps == RDMA_PS_IB ? IBV_QPT_RC : IBV_QPT_UD;
  const Locked locked;
  fake->model = edge().cm.CreateId(&fakenic::FromChannel(fake->id.channel), ps);
  fake->model->user = fake.get();
  *id = &fake.release()->id;
  return 0;
}

int rdma_destroy_id(rdma_cm_id* id) {
  if (const int error = edge().faults.Fire("rdma_destroy_id")) return Cm(error);
  FakeCmId& fake = FromId(id);
  fakenic::DropResult(fake);
  rdma_event_channel* own_channel = fake.sync ? id->channel : nullptr;
  {
    Locked locked;
    edge().cm.DestroyId(*fake.model);
    AwaitAcks(locked, fake);
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

int rdma_resolve_addr(rdma_cm_id* id, sockaddr* src_addr, sockaddr* dst_addr, int) {
  if (const int error = edge().faults.Fire("rdma_resolve_addr")) return Cm(error);
  FakeCmId& fake = FromId(id);
  fakenic::DropResult(fake);
  {
    const Locked locked;
    if (const int error =
            edge().cm.ResolveAddr(*fake.model, Address::From(src_addr), Address::From(dst_addr))) {
      return Cm(error);
    }
    Refresh(fake);
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
    AwaitAcks(locked, fake);
    edge().cm.Migrate(*fake.model, fakenic::FromChannel(target));
    id->channel = target;
    fake.sync = channel == nullptr;
  }
  if (own_channel != nullptr) rdma_destroy_event_channel(own_channel);
  return 0;
}

int rdma_set_option(rdma_cm_id* id, int level, int optname, void* optval, size_t optlen) {
  if (level != RDMA_OPTION_ID) return Cm(ENOSYS);
  const size_t expected = optname == RDMA_OPTION_ID_TOS || optname == RDMA_OPTION_ID_ACK_TIMEOUT
                              ? sizeof(uint8_t)
                              : sizeof(int);
  if (optname < RDMA_OPTION_ID_TOS || optname > RDMA_OPTION_ID_ACK_TIMEOUT) return Cm(ENOSYS);
  if (optlen != expected) return Cm(EINVAL);
  const Locked locked;
  if (optname == RDMA_OPTION_ID_REUSEADDR) {
    FromId(id).model->reuse_address = *static_cast<int*>(optval) != 0;
  }
  return 0;
}

__be16 rdma_get_src_port(rdma_cm_id* id) {
  const Locked locked;
  return htobe16(FromId(id).model->src.port());
}

__be16 rdma_get_dst_port(rdma_cm_id* id) {
  const Locked locked;
  return htobe16(FromId(id).model->dst.port());
}

}  // extern "C"
