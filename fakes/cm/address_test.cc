#include "cm/address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

namespace fakenic {
namespace {

Address V4(const char* text, uint16_t port) {
  sockaddr_in in{};
  in.sin_family = AF_INET;
  in.sin_port = htons(port);
  inet_pton(AF_INET, text, &in.sin_addr);
  return Address::From(reinterpret_cast<sockaddr*>(&in));
}

TEST(Address, KnowsWildcardsAndLoopbacks) {
  EXPECT_TRUE(V4("0.0.0.0", 1).wildcard());
  EXPECT_FALSE(V4("127.0.0.1", 1).wildcard());
  EXPECT_TRUE(V4("127.3.2.1", 1).loopback());
  EXPECT_FALSE(V4("128.0.0.1", 1).loopback());
  EXPECT_TRUE(Address::Loopback(AF_INET6).loopback());
  EXPECT_TRUE(Address::Wildcard(AF_INET6).wildcard());
}

TEST(Address, ComparesHostsWithoutPorts) {
  EXPECT_TRUE(V4("10.0.0.1", 1).SameHost(V4("10.0.0.1", 2)));
  EXPECT_FALSE(V4("10.0.0.1", 1).SameHost(V4("10.0.0.2", 1)));
  EXPECT_FALSE(V4("127.0.0.1", 1).SameHost(Address::Loopback(AF_INET6)));
}

TEST(Address, CarriesItsPortInHostOrder) {
  Address address = V4("10.0.0.1", 7204);
  EXPECT_EQ(address.port(), 7204);
  address.set_port(1);
  EXPECT_EQ(address.port(), 1);
}

TEST(Address, AnUnknownFamilyIsUnspecified) {
  sockaddr unknown{};
  unknown.sa_family = AF_UNIX;
  EXPECT_FALSE(Address::From(&unknown).specified());
  EXPECT_FALSE(Address::From(nullptr).specified());
}

}  // namespace
}  // namespace fakenic
