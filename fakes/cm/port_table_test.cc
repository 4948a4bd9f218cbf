#include "cm/port_table.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace fakenic {
namespace {

constexpr int kTcp = 0x106;

CmId Bound(const Address& host, uint16_t port) {
  CmId id;
  id.port_space = kTcp;
  id.src = host;
  id.src.set_port(port);
  return id;
}

TEST(PortTable, OneAddressHasAPortOnce) {
  PortTable ports;
  CmId first = Bound(Address::Loopback(AF_INET), 7), second = first;

  EXPECT_EQ(ports.Bind(first), 0);
  EXPECT_EQ(ports.Bind(second), EADDRINUSE);
  ports.Release(first);
  EXPECT_EQ(ports.Bind(second), 0);
}

TEST(PortTable, AWildcardExcludesEveryAddressThatItCouldTake) {
  PortTable ports;
  CmId wildcard = Bound(Address::Wildcard(AF_INET), 7);
  CmId v4 = Bound(Address::Loopback(AF_INET), 7);
  CmId v6 = Bound(Address::Loopback(AF_INET6), 7);

  EXPECT_EQ(ports.Bind(wildcard), 0);

  EXPECT_EQ(ports.Bind(v4), EADDRNOTAVAIL);
  EXPECT_EQ(ports.Bind(v6), EADDRNOTAVAIL) << "IPv6 without the option is not one family's";
  v6.one_family = true;
  EXPECT_EQ(ports.Bind(v6), 0);
}

TEST(PortTable, PortSpacesAreIndependent) {
  PortTable ports;
  CmId tcp = Bound(Address::Loopback(AF_INET), 7), udp = tcp;
  udp.port_space = 0x111;

  EXPECT_EQ(ports.Bind(tcp), 0);
  EXPECT_EQ(ports.Bind(udp), 0);
}

TEST(PortTable, PortZeroBecomesAFreePort) {
  PortTable ports;
  CmId first = Bound(Address::Loopback(AF_INET), 0), second = first;
  ports.Bind(first);
  ports.Bind(second);

  EXPECT_NE(first.src.port(), 0);
  EXPECT_NE(second.src.port(), first.src.port());
}

TEST(PortTable, FindsTheListenerOfTheAddressBeforeTheWildcardAndNoMereBinding) {
  PortTable ports;
  CmId bound = Bound(Address::Loopback(AF_INET), 7);
  ports.Bind(bound);
  bool elsewhere = true;
  EXPECT_EQ(ports.FindListener(kTcp, bound.src, &elsewhere), nullptr);
  EXPECT_FALSE(elsewhere);

  bound.state = CmState::kListening;

  EXPECT_EQ(ports.FindListener(kTcp, bound.src, &elsewhere), &bound);
  Address other = Address::Wildcard(AF_INET6);
  other.set_port(7);
  EXPECT_EQ(ports.FindListener(kTcp, other, &elsewhere), nullptr);
  EXPECT_TRUE(elsewhere);
}

TEST(PortTable, ReuseAllowsTwoBindingsUntilOneListens) {
  PortTable ports;
  CmId first = Bound(Address::Loopback(AF_INET), 7), second = first, third = first;
  first.reuse_address = second.reuse_address = third.reuse_address = true;
  ports.Bind(first);

  EXPECT_EQ(ports.Bind(second), 0);
  first.state = CmState::kListening;
  EXPECT_EQ(ports.Bind(third), EADDRINUSE);
}

}  // namespace
}  // namespace fakenic
