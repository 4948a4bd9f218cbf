// Addresses as a fabric's table has them.
#pragma once

#include <cstring>

#include "cm/address.h"
#include "wire/registry_file.h"

namespace fakenic {

inline registry::HostAddress ToHostAddress(const Address& address) {
  registry::HostAddress result{};
  result.family = address.family() == AF_INET ? 4 : 6;
  if (address.family() == AF_INET) {
    const auto* in = reinterpret_cast<const sockaddr_in*>(address.get());
    std::memcpy(result.bytes, &in->sin_addr, 4);
  } else {
    const auto* in6 = reinterpret_cast<const sockaddr_in6*>(address.get());
    std::memcpy(result.bytes, &in6->sin6_addr, 16);
  }
  return result;
}

inline Address FromHostAddress(const registry::HostAddress& address) {
  return Address::Of(address.bytes, address.family == 4 ? AF_INET : AF_INET6);
}

}  // namespace fakenic
