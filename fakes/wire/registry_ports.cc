// The ports of a fabric's table: chains of bindings, one for each port and port space.
#include <algorithm>
#include <cerrno>
#include <optional>

#include "wire/registry.h"
#include "wire/registry_address.h"
#include "wire/registry_guard.h"

namespace fakenic {

using namespace registry;

namespace {

// As the kernel numbers them.
std::optional<uint32_t> SpaceIndex(int port_space) {
  switch (port_space) {
    case 0x2:  // IPoIB
      return 0;
    case 0x106:  // TCP
      return 1;
    case 0x111:  // UDP
      return 2;
    case 0x13f:  // IB
      return 3;
    default:
      return std::nullopt;
  }
}

PortBinding BindingOf(const Port& port) {
  return {.address = FromHostAddress(port.address),
          .one_family = port.one_family != 0,
          .reuse = port.reuse != 0,
          .listening = port.listening != 0};
}

}  // namespace

// A chain that never ends would be that of a broken table.
template <typename F>
void Registry::ForEachPort(uint32_t space, uint16_t port, F&& f) {
  uint32_t place = table_->chain[space][port];
  for (uint32_t length = 0; place != 0 && place <= kPorts && length < kPorts; ++length) {
    Port& entry = table_->port[place - 1];
    place = entry.next;
    f(entry);
  }
}

// Takes it out of its chain and frees it.
void Registry::Unchain(Port& port) {
  std::atomic<uint32_t>* from = &table_->chain[port.space % kPortSpaces][port.port];
  const auto place = static_cast<uint32_t>(&port - table_->port) + 1;
  for (uint32_t length = 0; *from != 0 && *from <= kPorts && length < kPorts; ++length) {
    if (*from == place) {
      from->store(port.next);
      break;
    }
    from = &table_->port[*from - 1].next;
  }
  port.owner = 0;
}

// A few places are tried before the table grows; all of them when it cannot.
Port* Registry::FreePort() {
  constexpr uint32_t kTries = 64;
  const uint32_t used = std::min(table_->ports_used, kPorts);
  const uint32_t tries = used < kPorts ? std::min(used, kTries) : used;
  for (uint32_t i = 0; i < tries; ++i) {
    Port& port = table_->port[port_cursor_++ % used];
    if (port.owner != 0 && used == kPorts && !Alive(port.owner)) Unchain(port);
    if (port.owner == 0) return &port;
  }
  return used < kPorts ? &table_->port[table_->ports_used++] : nullptr;
}

int Registry::FindConflict(uint32_t space, const PortBinding& binding) {
  int error = 0;
  std::vector<Port*> dead;
  ForEachPort(space, binding.address.port(), [&](Port& other) {
    const bool own = other.owner == self_;  // those of this process are its own affair
    if (error != 0 || own || other.host != host_ || other.id == 0) return;
    const int conflict = Conflict(binding, BindingOf(other));
    if (conflict == 0) return;
    if (Alive(other.owner)) {
      error = conflict;
    } else {
      dead.push_back(&other);
    }
  });
  for (Port* port : dead) Unchain(*port);
  return error;
}

int Registry::ClaimPort(int port_space, const PortBinding& binding, uint64_t id) {
  const auto space = SpaceIndex(port_space);
  if (!space) return 0;
  const Guard guard(*this);
  if (!guard.held()) return EADDRNOTAVAIL;
  if (const int error = FindConflict(*space, binding)) return error;
  Port* port = FreePort();
  if (port == nullptr) return EADDRNOTAVAIL;
  port->id = id;
  port->host = host_;
  port->address = ToHostAddress(binding.address);
  port->port = binding.address.port();
  port->space = static_cast<uint8_t>(*space);
  port->one_family = binding.one_family;
  port->reuse = binding.reuse;
  port->listening = 0;
  auto& chain = table_->chain[*space][port->port];
  port->next = chain.load();
  port->owner = self_;
  chain = static_cast<uint32_t>(port - table_->port) + 1;
  return 0;
}

Port* Registry::FindPort(int port_space, uint16_t number, uint64_t id) {
  Port* found = nullptr;
  const auto space = SpaceIndex(port_space);
  if (!space) return nullptr;
  ForEachPort(*space, number, [&](Port& port) {
    if (port.owner == self_ && port.id == id) found = &port;
  });
  return found;
}

int Registry::Listen(int port_space, const PortBinding& binding, uint64_t id) {
  const auto space = SpaceIndex(port_space);
  if (!space) return 0;
  const Guard guard(*this);
  if (!guard.held()) return EADDRNOTAVAIL;
  PortBinding wanted = binding;
  wanted.reuse = false;
  if (const int error = FindConflict(*space, wanted)) return error;
  Port* port = FindPort(port_space, binding.address.port(), id);
  if (port != nullptr) port->listening = 1;
  return 0;
}

void Registry::ReleasePort(int port_space, uint16_t number, uint64_t id) {
  const Guard guard(*this);
  if (!guard.held()) return;  // it is free when this process ends
  if (Port* port = FindPort(port_space, number, id)) Unchain(*port);
}

ProcessId Registry::FindListener(uint32_t host, int port_space, const Address& address,
                                 bool* elsewhere) {
  *elsewhere = false;
  const auto space = SpaceIndex(port_space);
  if (!space) return 0;
  ProcessId specific = 0, wildcard = 0;
  ForEachPort(*space, address.port(), [&](Port& port) {
    if (port.listening == 0 || port.host != host || port.owner == 0 || port.owner == self_ ||
        !Alive(port.owner)) {
      return;
    }
    const PortBinding binding = BindingOf(port);
    *elsewhere = true;
    if (!binding.Takes(address)) return;
    (binding.address.wildcard() ? wildcard : specific) = port.owner;
  });
  return specific != 0 ? specific : wildcard;
}

}  // namespace fakenic
