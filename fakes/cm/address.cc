#include "cm/address.h"

#include <arpa/inet.h>

#include <cstring>

namespace fakenic {

Address Address::From(const sockaddr* address) {
  Address result;
  if (address == nullptr) return result;
  if (address->sa_family == AF_INET) std::memcpy(&result.storage_, address, sizeof(sockaddr_in));
  if (address->sa_family == AF_INET6) std::memcpy(&result.storage_, address, sizeof(sockaddr_in6));
  return result;
}

Address Address::Parse(const char* text) {
  uint8_t bytes[16];
  if (inet_pton(AF_INET, text, bytes) == 1) return Of(bytes, AF_INET);
  if (inet_pton(AF_INET6, text, bytes) == 1) return Of(bytes, AF_INET6);
  return {};
}

Address Address::Of(const uint8_t* bytes, sa_family_t family) {
  Address result = Wildcard(family);
  if (family == AF_INET) {
    std::memcpy(&reinterpret_cast<sockaddr_in&>(result.storage_).sin_addr, bytes, 4);
  } else {
    std::memcpy(&reinterpret_cast<sockaddr_in6&>(result.storage_).sin6_addr, bytes, 16);
  }
  return result;
}

Address Address::Wildcard(sa_family_t family) {
  Address result;
  result.storage_.ss_family = family;
  return result;
}

Address Address::Loopback(sa_family_t family) {
  Address result = Wildcard(family);
  if (family == AF_INET) {
    reinterpret_cast<sockaddr_in&>(result.storage_).sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  } else {
    reinterpret_cast<sockaddr_in6&>(result.storage_).sin6_addr = in6addr_loopback;
  }
  return result;
}

socklen_t Address::size() const {
  if (family() == AF_INET) return sizeof(sockaddr_in);
  if (family() == AF_INET6) return sizeof(sockaddr_in6);
  return 0;
}

bool Address::wildcard() const {
  if (family() == AF_INET) return v4().sin_addr.s_addr == htonl(INADDR_ANY);
  if (family() == AF_INET6) return IN6_IS_ADDR_UNSPECIFIED(&v6().sin6_addr);
  return false;
}

bool Address::loopback() const {
  if (family() == AF_INET) return ntohl(v4().sin_addr.s_addr) >> 24 == 127;
  if (family() == AF_INET6) return IN6_IS_ADDR_LOOPBACK(&v6().sin6_addr);
  return false;
}

uint16_t Address::port() const {
  if (family() == AF_INET) return ntohs(v4().sin_port);
  if (family() == AF_INET6) return ntohs(v6().sin6_port);
  return 0;
}

void Address::set_port(uint16_t port) {
  if (family() == AF_INET) reinterpret_cast<sockaddr_in&>(storage_).sin_port = htons(port);
  if (family() == AF_INET6) reinterpret_cast<sockaddr_in6&>(storage_).sin6_port = htons(port);
}

bool Address::SameHost(const Address& other) const {
  if (family() != other.family()) return false;
  if (family() == AF_INET) return v4().sin_addr.s_addr == other.v4().sin_addr.s_addr;
  if (family() == AF_INET6) return IN6_ARE_ADDR_EQUAL(&v6().sin6_addr, &other.v6().sin6_addr);
  return true;
}

}  // namespace fakenic
