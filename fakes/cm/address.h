// An IPv4 or IPv6 socket address.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>

namespace fakenic {

class Address {
 public:
  Address() = default;  // unspecified: family AF_UNSPEC
  // Reads as many bytes as the family needs. Another family than IPv4 and IPv6 gives an unspecified
  // address.
  static Address From(const sockaddr* address);
  // From text without a port, such as "127.0.0.1" or "::1"; unspecified for any other.
  static Address Parse(const char* text);
  // From 4 or 16 bytes in network order.
  static Address Of(const uint8_t* bytes, sa_family_t family);
  static Address Wildcard(sa_family_t family);
  static Address Loopback(sa_family_t family);

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const;
  sa_family_t family() const { return storage_.ss_family; }
  bool specified() const { return family() != AF_UNSPEC; }
  bool wildcard() const;
  bool loopback() const;

  uint16_t port() const;  // host order
  void set_port(uint16_t port);

  bool SameHost(const Address& other) const;

 private:
  const sockaddr_in& v4() const { return reinterpret_cast<const sockaddr_in&>(storage_); }
  const sockaddr_in6& v6() const { return reinterpret_cast<const sockaddr_in6&>(storage_); }

  sockaddr_storage storage_{};
};

}  // namespace fakenic
