#include "cm/port_table.h"

#include <algorithm>
#include <cerrno>

namespace fakenic {
namespace {

constexpr uint16_t kFirstEphemeral = 32768;
constexpr uint16_t kLastEphemeral = 60999;

bool OneFamily(const CmId& id) { return id.one_family.value_or(id.src.family() == AF_INET); }

}  // namespace

int PortTable::Conflict(const CmId& id, uint16_t port, bool reuse) const {
  const auto found = bound_.find({id.port_space, port});
  if (found == bound_.end()) return 0;
  for (const CmId* other : found->second) {
    if (other == &id) continue;
    if (reuse && other->reuse_address && other->state != CmState::kListening) continue;
    const bool both_to_one = OneFamily(id) && OneFamily(*other);
    if (both_to_one && other->src.family() != id.src.family()) continue;
    if (other->src.wildcard() || id.src.wildcard()) return EADDRNOTAVAIL;
    if (other->src.SameHost(id.src)) return EADDRINUSE;
  }
  return 0;
}

int PortTable::CheckListen(const CmId& id) const {
  return Conflict(id, id.src.port(), /*reuse=*/false);
}

int PortTable::Bind(CmId& id) {
  uint16_t port = id.src.port();
  if (port != 0) {
    if (const int error = Conflict(id, port, id.reuse_address)) return error;
  } else {
    const int ports = kLastEphemeral - kFirstEphemeral + 1;
    for (int tries = 0; port == 0 && tries < ports; ++tries) {
      const uint16_t candidate = next_ephemeral_;
      next_ephemeral_ = candidate == kLastEphemeral ? kFirstEphemeral : candidate + 1;
      if (!bound_.contains({id.port_space, candidate})) port = candidate;
    }
    if (port == 0) return EADDRNOTAVAIL;
    id.src.set_port(port);
  }
  bound_[{id.port_space, port}].push_back(&id);
  return 0;
}

void PortTable::Release(const CmId& id) {
  const auto found = bound_.find({id.port_space, id.src.port()});
  if (found == bound_.end()) return;
  std::erase(found->second, &id);
  if (found->second.empty()) bound_.erase(found);
}

CmId* PortTable::FindListener(int port_space, const Address& address, bool* elsewhere) const {
  *elsewhere = false;
  const auto found = bound_.find({port_space, address.port()});
  if (found == bound_.end()) return nullptr;
  CmId* wildcard = nullptr;
  for (CmId* id : found->second) {
    if (id->state != CmState::kListening) continue;
    if (id->src.SameHost(address)) return id;
    *elsewhere = true;
    const bool takes_it = id->src.family() == address.family() || id->takes_both_families();
    if (id->src.wildcard() && takes_it && wildcard == nullptr) wildcard = id;
  }
  return wildcard;
}

}  // namespace fakenic
