#include "cm/hosts.h"

#include <cerrno>

#include "cm/test_connection.h"

namespace fakenic {
namespace {

TEST(HostsTest, LocalAddressesLeadToTheDeviceAndOthersToNone) {
  Hosts hosts;
  EXPECT_EQ(hosts.CheckLocal(V4("127.1.2.3", 0)), 0);
  EXPECT_EQ(hosts.CheckLocal(V4("192.0.2.1", 0)), EADDRNOTAVAIL);
  EXPECT_EQ(hosts.To(V4("127.1.2.3", 0)).error, 0);
  EXPECT_TRUE(hosts.To(V4("127.1.2.3", 0)).answers);
  EXPECT_EQ(hosts.To(V4("192.0.2.1", 0)).error, ENODEV);
}

TEST(HostsTest, AHostCanBeMadeSilentUnreachableAndOrdinaryAgain) {
  Hosts hosts;
  const Address host = V4("127.0.0.1", 7);
  hosts.Set(host, Hosts::kSilent);
  EXPECT_EQ(hosts.To(host).error, 0);
  EXPECT_FALSE(hosts.To(host).answers);
  hosts.Set(host, EHOSTUNREACH);
  EXPECT_EQ(hosts.To(host).error, EHOSTUNREACH);
  EXPECT_EQ(hosts.CheckLocal(host), EADDRNOTAVAIL);
  hosts.Set(host, Hosts::kOrdinary);
  EXPECT_TRUE(hosts.To(host).answers);
}

TEST(HostsTest, WithoutTheDeviceNoAddressIsOfUse) {
  Hosts hosts;
  hosts.device_present = false;
  EXPECT_EQ(hosts.CheckLocal(Loopback(7)), ENODEV);
  EXPECT_EQ(hosts.To(Loopback(7)).error, ENODEV);
}

}  // namespace
}  // namespace fakenic
