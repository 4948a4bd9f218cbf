// When two bindings to one port exclude each other.
#pragma once

#include <cerrno>

#include "cm/cm_id.h"

namespace fakenic {

struct PortBinding {
  Address address;
  bool one_family = false;  // a wildcard takes its own family only
  bool reuse = false;
  bool listening = false;

  static PortBinding Of(const CmId& id) {
    return {.address = id.src,
            .one_family = id.one_family.value_or(id.src.family() == AF_INET),
            .reuse = id.reuse_address,
            .listening = id.state == CmState::kListening};
  }

  // Whether a connection to this address, of this port, reaches a listener that is bound so.
  bool Takes(const Address& to) const {
    if (!address.wildcard()) return address.SameHost(to);
    return address.family() == to.family() || (address.family() == AF_INET6 && !one_family);
  }
};

// 0; EADDRINUSE when both want the same address; EADDRNOTAVAIL when one of them is a wildcard. Of
// different families they exclude each other unless both are to one family.
inline int Conflict(const PortBinding& wanted, const PortBinding& other) {
  if (wanted.reuse && other.reuse && !other.listening) return 0;
  const bool both_to_one = wanted.one_family && other.one_family;
  if (both_to_one && wanted.address.family() != other.address.family()) return 0;
  if (wanted.address.wildcard() || other.address.wildcard()) return EADDRNOTAVAIL;
  return wanted.address.SameHost(other.address) ? EADDRINUSE : 0;
}

}  // namespace fakenic
