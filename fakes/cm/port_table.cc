#include "cm/port_table.h"

#include <cerrno>

#include "cm/port_rules.h"

namespace fakenic {
namespace {

constexpr uint16_t kFirstEphemeral = 32768;
constexpr uint16_t kLastEphemeral = 60999;

}  // namespace

int PortTable::FindConflict(const CmId& id, uint16_t port, bool reuse) const {
  const auto found = bound_.find({id.port_space, port});
  if (found == bound_.end()) return 0;
  PortBinding wanted = PortBinding::Of(id);
  wanted.reuse = reuse;
  for (const CmId* other : found->second) {
    if (other == &id) continue;
    if (const int error = Conflict(wanted, PortBinding::Of(*other))) return error;
  }
  return 0;
}

void PortTable::StartFreePortsAfter(uint32_t number) {
  next_ephemeral_ =
      static_cast<uint16_t>(kFirstEphemeral + number % (kLastEphemeral - kFirstEphemeral + 1));
}

int PortTable::Listen(const CmId& id) {
  if (const int error = FindConflict(id, id.src.port(), /*reuse=*/false)) return error;
  return network_ != nullptr ? network_->Listen(id) : 0;
}

int PortTable::Bind(CmId& id) {
  const uint16_t port = id.src.port();
  if (port == 0) {
    if (const int error = BindFree(id)) return error;
  } else {
    if (const int error = FindConflict(id, port, id.reuse_address)) return error;
    if (network_ != nullptr) {
      if (const int error = network_->ClaimPort(id)) return error;
    }
  }
  bound_[{id.port_space, id.src.port()}].push_back(&id);
  return 0;
}

int PortTable::BindFree(CmId& id) {
  constexpr int kPorts = kLastEphemeral - kFirstEphemeral + 1;
  for (int tries = 0; tries < kPorts; ++tries) {
    const uint16_t candidate = next_ephemeral_;
    next_ephemeral_ = candidate == kLastEphemeral ? kFirstEphemeral : candidate + 1;
    if (bound_.contains({id.port_space, candidate})) continue;
    id.src.set_port(candidate);
    if (network_ == nullptr || network_->ClaimPort(id) == 0) return 0;
  }
  id.src.set_port(0);
  return EADDRNOTAVAIL;
}

void PortTable::Release(const CmId& id) {
  const auto found = bound_.find({id.port_space, id.src.port()});
  if (found == bound_.end()) return;
  if (std::erase(found->second, &id) > 0 && network_ != nullptr) network_->ReleasePort(id);
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
    if (wildcard == nullptr && PortBinding::Of(*id).Takes(address)) wildcard = id;
  }
  return wildcard;
}

}  // namespace fakenic
