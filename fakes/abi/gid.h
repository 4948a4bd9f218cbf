// The GID of an address, and the address of a GID.
#pragma once

#include <endian.h>
#include <infiniband/verbs.h>

#include <cstring>

#include "cm/address.h"

namespace fakenic {

// Each host of a fabric has a device with a number of its own, which is in its link-local GID.
inline constexpr uint64_t kGuid = 0x02fa4e0000000001;
// That GID, and the host's first address.
inline constexpr int kGids = 2;

inline ibv_gid LinkLocalGid(uint32_t host_number) {
  ibv_gid gid{};
  gid.global.subnet_prefix = htobe64(0xfe80000000000000);
  gid.global.interface_id = htobe64(kGuid + host_number - 1);
  return gid;
}

// The number of the host with this link-local GID; 0: it is another GID.
inline uint32_t HostOfLinkLocal(const ibv_gid& gid) {
  constexpr uint64_t kMostHosts = 0xffff;
  const uint64_t number = be64toh(gid.global.interface_id) - kGuid;
  const bool ours = be64toh(gid.global.subnet_prefix) == 0xfe80000000000000 && number < kMostHosts;
  return ours ? static_cast<uint32_t>(number) + 1 : 0;
}

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

inline Address AddressOf(const ibv_gid& gid) {
  constexpr uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (std::memcmp(gid.raw, kMapped, sizeof kMapped) == 0) {
    return Address::Of(gid.raw + sizeof kMapped, AF_INET);
  }
  return Address::Of(gid.raw, AF_INET6);
}

}  // namespace fakenic
