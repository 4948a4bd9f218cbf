// The GID of an address.
#pragma once

#include <infiniband/verbs.h>

#include <cstring>

#include "cm/address.h"

namespace fakenic {

// As RoCE has it: an IPv6 address itself, an IPv4 address mapped into IPv6.
inline ibv_gid GidOf(const Address& address) {
  ibv_gid gid{};
  if (address.family() == AF_INET6) {
    const auto* in6 = reinterpret_cast<const sockaddr_in6*>(address.get());
    std::memcpy(gid.raw, &in6->sin6_addr, sizeof gid.raw);
  } else if (address.family() == AF_INET) {
    const auto* in = reinterpret_cast<const sockaddr_in*>(address.get());
    gid.raw[10] = gid.raw[11] = 0xff;
    std::memcpy(gid.raw + 12, &in->sin_addr, sizeof in->sin_addr);
  }
  return gid;
}

}  // namespace fakenic
