// Identifiers, their addresses, their channels.
#include "cm/connection_manager.h"

#include <cerrno>

namespace fakenic {
namespace {

constexpr int kMaxBacklog = 1024;
constexpr uint16_t kFirstFreePort = 1024;  // the ports below need a privilege

}  // namespace

void ConnectionManager::set_network(CmNetwork* network) {
  network_ = network;
  ports_.set_network(network);
}

CmId* ConnectionManager::CreateId(EventChannel* channel, int port_space) {
  auto id = std::make_unique<CmId>();
  id->channel = channel;
  id->port_space = port_space;
  id->serial = next_serial_++;
  id->psn = static_cast<uint32_t>(id->serial * 0x9e3779 + 0x400) & 0xffffff;
  id->takes_events = true;
  CmId* made = id.get();
  ids_.emplace(made->serial, std::move(id));
  return made;
}

void ConnectionManager::DestroyId(CmId& id) {
  const bool listened = id.state == CmState::kListening;
  EndConnection(id);
  if (listened) {
    std::vector<CmId*> children;
    for (const auto& [serial, other] : ids_) {
      if (other->listener == &id) children.push_back(other.get());
    }
    for (CmId* child : children) DestroyId(*child);
  }
  if (id.listener != nullptr) --id.listener->unread_requests;
  DropUnread(id);
  StopTimer(id);
  ports_.Release(id);
  const auto known = passive_by_requester_.find(id.peer_qp_num);
  if (known != passive_by_requester_.end() && known->second == &id) {
    passive_by_requester_.erase(known);
  }
  const auto passive = passive_by_active_.find(id.peer);
  if (passive != passive_by_active_.end() && passive->second == &id) {
    passive_by_active_.erase(passive);
  }
  ids_.erase(id.serial);
}

void ConnectionManager::DropUnread(CmId& id) {
  if (id.channel == nullptr) return;
  id.channel->RemoveIf(
      [&](const CmEvent& event) { return event.id == &id || event.owner() == &id; });
}

void ConnectionManager::CloseChannel(EventChannel& channel) {
  std::vector<CmId*> requested;  // nobody can get to know these any more
  for (const auto& [serial, id] : ids_) {
    if (id->channel != &channel) continue;
    if (id->listener != nullptr) {
      requested.push_back(id.get());
      continue;
    }
    EndConnection(*id);
    StopTimer(*id);
    ports_.Release(*id);
    id->state = CmState::kDisconnected;
    id->channel = nullptr;
  }
  for (CmId* id : requested) DestroyId(*id);
}

void ConnectionManager::Migrate(CmId& id, EventChannel& channel) {
  if (id.channel != nullptr) {
    auto moved = id.channel->RemoveIf([&](const CmEvent& event) { return event.owner() == &id; });
    for (CmEvent& event : moved) {
      event.id->channel = &channel;
      channel.Push(std::move(event));
    }
  }
  id.channel = &channel;
}

int ConnectionManager::Bind(CmId& id, const Address& address) {
  if (!address.wildcard()) {
    if (const int error = hosts.CheckLocal(address)) return error;
  }
  if (address.port() != 0 && address.port() < kFirstFreePort && !may_bind_low_ports()) {
    return EACCES;
  }
  id.src = address;
  if (const int error = ports_.Bind(id)) {
    id.src = {};
    return error;
  }
  id.has_device = !address.wildcard();
  id.state = CmState::kBound;
  return 0;
}

int ConnectionManager::BindAddr(CmId& id, const Address& address) {
  if (id.state != CmState::kIdle || !address.specified()) return EINVAL;
  return Bind(id, address);
}

int ConnectionManager::Listen(CmId& id, int backlog) {
  if (id.state == CmState::kIdle) {
    if (const int error = Bind(id, Address::Wildcard(AF_INET))) return error;
  }
  if (id.state != CmState::kBound) return EINVAL;
  if (const int error = ports_.Listen(id)) return error;
  id.backlog = backlog <= 0 || backlog > kMaxBacklog ? kMaxBacklog : backlog;
  id.state = CmState::kListening;
  return 0;
}

std::vector<uint16_t> ConnectionManager::ListeningPorts() const {
  std::vector<uint16_t> ports;
  for (const auto& [serial, id] : ids_) {
    if (id->state == CmState::kListening) ports.push_back(id->src.port());
  }
  return ports;
}

int ConnectionManager::ResolveAddr(CmId& id, const Address& src, const Address& dst,
                                   int timeout_ms) {
  if (id.state != CmState::kIdle && id.state != CmState::kBound) return EINVAL;
  const Address& from = id.state == CmState::kBound ? id.src : src;
  if (!dst.specified() || (from.specified() && from.family() != dst.family())) return EINVAL;
  if (id.state == CmState::kIdle) {
    const Address local = src.specified() ? src : Address::Wildcard(dst.family());
    if (const int error = Bind(id, local)) return error;
  }
  id.dst = dst;
  if (dst.wildcard()) {
    id.dst = Address::Loopback(dst.family());
    id.dst.set_port(dst.port());
  }
  const Route route = hosts.To(id.dst);
  if (route.error == ETIMEDOUT && timeout_ms > 0) {  // nobody answers for the address
    id.state = CmState::kAddrQuery;
    StartTimer(id, static_cast<uint64_t>(timeout_ms) * 1000000);
    return 0;
  }
  if (route.error != 0) {
    Raise(id, CmEventType::kAddrError, -route.error);
    return 0;
  }
  if (id.src.wildcard()) {  // the route decides
    Address local = hosts.SourceTo(id.dst);
    local.set_port(id.src.port());
    id.src = local;
  }
  id.has_device = true;
  id.state = CmState::kAddrResolved;
  Raise(id, CmEventType::kAddrResolved);
  return 0;
}

int ConnectionManager::ResolveRoute(CmId& id, int timeout_ms) {
  if (id.state != CmState::kAddrResolved || timeout_ms <= 0) return EINVAL;
  id.state = CmState::kRouteResolved;
  Raise(id, CmEventType::kRouteResolved);
  return 0;
}

int ConnectionManager::SetReuseAddress(CmId& id, bool reuse) {
  if (id.state == CmState::kListening && reuse) return EINVAL;
  id.reuse_address = reuse;
  return 0;
}

int ConnectionManager::SetOneFamily(CmId& id, bool one_family) {
  if (id.state != CmState::kIdle && id.state != CmState::kBound) return EINVAL;
  id.one_family = one_family;
  return 0;
}

void ConnectionManager::RemoveDevice() {
  hosts.device_present = false;
  std::vector<CmId*> requested;
  for (const auto& [serial, id] : ids_) {
    if (!id->has_device || id->state == CmState::kDeviceRemoved) continue;
    if (id->listener != nullptr) {
      id->state = CmState::kDeviceRemoved;
      requested.push_back(id.get());
      continue;
    }
    FailQp(*id);
    StopTimer(*id);
    ports_.Release(*id);
    id->takes_events = true;  // this one event reaches a request that is not accepted yet
    Raise(*id, CmEventType::kDeviceRemoval);
    id->state = CmState::kDeviceRemoved;
  }
  for (CmId* id : requested) DestroyId(*id);
}

void ConnectionManager::Raise(CmId& id, CmEventType type, int status, ConnParam param) {
  if (!id.takes_events || id.channel == nullptr) return;
  id.channel->Push({.type = type, .id = &id, .status = status, .param = std::move(param)});
}

}  // namespace fakenic
