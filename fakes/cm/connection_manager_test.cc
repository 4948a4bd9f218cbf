// Identifiers, addresses and channels.
#include "cm/connection_manager.h"

#include <gmock/gmock.h>

#include <cerrno>

#include "cm/test_connection.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ConnectionManagerTest : public ConnectionTest {
 protected:
  int Resolve(CmId& id, const Address& src, const Address& dst) {
    return cm_.ResolveAddr(id, src, dst, 1000);
  }
  CmId& NewId(int port_space = kTcp) { return *cm_.CreateId(&client_channel_, port_space); }
};

struct BindRow {
  const char* claim;
  int space;
  Address taken, wanted;
  int error;
};

TEST_F(ConnectionManagerTest, BindingSaysWhyAnAddressIsNotToBeHad) {
  cm_.hosts.Set(V4("127.0.0.9", 0), ENODEV);
  const BindRow rows[] = {
      {"one address has a port once", kTcp, Loopback(7), Loopback(7), EADDRINUSE},
      {"a wildcard has it alone", kTcp, Wildcard(7), Loopback(7), EADDRNOTAVAIL},
      {"nor can a wildcard be had beside an address", kTcp, Loopback(7), Wildcard(7),
       EADDRNOTAVAIL},
      {"an IPv6 wildcard takes IPv4 too", kTcp, Wildcard(7, AF_INET6), Loopback(7), EADDRNOTAVAIL},
      {"other addresses are free", kTcp, Loopback(7), V4("127.0.0.2", 7), 0},
      {"so are other port spaces", kUdp, Loopback(7), Loopback(7), 0},
      {"nobody's address here", kTcp, Loopback(7), V4("192.0.2.1", 8), EADDRNOTAVAIL},
      {"an address without an RDMA device", kTcp, Loopback(7), V4("127.0.0.9", 8), ENODEV},
      {"no address at all", kTcp, Loopback(7), Address(), EINVAL},
  };
  for (const BindRow& row : rows) {
    CmId& first = NewId();
    CmId& second = NewId(row.space);
    EXPECT_EQ(cm_.BindAddr(first, row.taken), 0) << row.claim;
    EXPECT_EQ(cm_.BindAddr(second, row.wanted), row.error) << row.claim;
    cm_.DestroyId(first);
    cm_.DestroyId(second);
  }
}

TEST_F(ConnectionManagerTest, PortsBelow1024NeedThePrivilege) {
  cm_.may_bind_low_ports = [] { return false; };
  EXPECT_EQ(cm_.BindAddr(NewId(), Loopback(1023)), EACCES);
  EXPECT_EQ(cm_.BindAddr(NewId(), Loopback(1024)), 0);
  EXPECT_EQ(cm_.BindAddr(NewId(), Loopback(0)), 0) << "no port is asked for";
}

TEST_F(ConnectionManagerTest, IPv6ToOneFamilyLeavesIPv4ToOthers) {
  CmId& six = NewId();
  EXPECT_EQ(cm_.SetOneFamily(six, true), 0);
  EXPECT_EQ(cm_.BindAddr(six, Wildcard(7, AF_INET6)), 0);
  EXPECT_EQ(cm_.BindAddr(NewId(), Wildcard(7)), 0);
  EXPECT_EQ(cm_.Listen(six, 0), 0);
  EXPECT_EQ(cm_.SetOneFamily(six, false), EINVAL) << "too late";
}

TEST_F(ConnectionManagerTest, ReusedAddressesMayBeBoundTwiceButOnlyOneListens) {
  CmId &first = NewId(), &second = NewId();
  cm_.SetReuseAddress(first, true);
  cm_.SetReuseAddress(second, true);
  EXPECT_EQ(cm_.BindAddr(first, Loopback(7)), 0);
  EXPECT_EQ(cm_.BindAddr(second, Loopback(7)), 0);

  EXPECT_EQ(cm_.Listen(first, 0), EADDRINUSE) << "the port is not its own";
  cm_.DestroyId(second);
  EXPECT_EQ(cm_.Listen(first, 0), 0);
  EXPECT_EQ(cm_.SetReuseAddress(first, true), EINVAL) << "too late";
}

TEST_F(ConnectionManagerTest, ListeningUnboundBindsToTheWildcardAndAFreePort) {
  CmId& id = NewId();
  EXPECT_THAT(cm_.ListeningPorts(), IsEmpty());
  EXPECT_EQ(cm_.Listen(id, 5), 0);
  EXPECT_THAT(cm_.ListeningPorts(), ElementsAre(id.src.port()));
  EXPECT_TRUE(id.src.wildcard());
  EXPECT_GE(id.src.port(), 32768);
  EXPECT_EQ(id.backlog, 5);
  EXPECT_EQ(cm_.Listen(id, 5), EINVAL) << "it does already";
}

TEST_F(ConnectionManagerTest, ABacklogOutOfRangeIs1024) {
  for (const int backlog : {-1, 0, 1025}) {
    CmId& id = NewId();
    EXPECT_EQ(cm_.Listen(id, backlog), 0);
    EXPECT_EQ(id.backlog, 1024) << backlog;
  }
}

TEST_F(ConnectionManagerTest, AnAddressThatLeadsNowhereIsAnEventWithItsReason) {
  cm_.hosts.Set(V4("192.0.2.7", 0), EHOSTUNREACH);
  cm_.hosts.Set(V4("192.0.2.8", 0), ENETUNREACH);
  const std::pair<Address, int> rows[] = {{V4("192.0.2.6", 7), -ENODEV},
                                          {V4("192.0.2.7", 7), -EHOSTUNREACH},
                                          {V4("192.0.2.8", 7), -ENETUNREACH}};
  for (const auto& [target, status] : rows) {
    CmId& id = NewId();
    EXPECT_EQ(Resolve(id, {}, target), 0);
    const CmEvent event = Fetch(client_channel_);
    EXPECT_EQ(event.type, CmEventType::kAddrError);
    EXPECT_EQ(event.status, status);
    EXPECT_FALSE(id.has_device);
    EXPECT_EQ(Resolve(id, {}, Loopback(7)), 0) << "it may try another";
    EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kAddrResolved);
  }
}

TEST_F(ConnectionManagerTest, ANeighbourThatDoesNotAnswerIsTimedOut) {
  cm_.hosts.Set(V4("192.0.2.9", 0), ETIMEDOUT);
  CmId& id = NewId();
  EXPECT_EQ(cm_.ResolveAddr(id, {}, V4("192.0.2.9", 7), /*timeout_ms=*/500), 0);

  Advance(499'999'999);
  EXPECT_EQ(Fetch(client_channel_).type, kNoEvent);
  Advance(1);

  const CmEvent event = Fetch(client_channel_);
  EXPECT_EQ(event.type, CmEventType::kAddrError);
  EXPECT_EQ(event.status, -ETIMEDOUT);
}

TEST_F(ConnectionManagerTest, ResolvingTakesItsSourceFromTheCallerOrFromTheRoute) {
  CmId &bare = NewId(), &bound = NewId(), &given = NewId();
  EXPECT_EQ(Resolve(bare, {}, Loopback(7)), 0);
  EXPECT_TRUE(bare.src.SameHost(Loopback(0)));
  EXPECT_NE(bare.src.port(), 0);
  cm_.BindAddr(bound, Wildcard(70));
  EXPECT_EQ(Resolve(bound, {}, Loopback(7)), 0);
  EXPECT_TRUE(bound.src.SameHost(Loopback(0)));
  EXPECT_EQ(bound.src.port(), 70);
  EXPECT_EQ(Resolve(given, V4("127.0.0.3", 71), Loopback(7)), 0);
  EXPECT_TRUE(given.src.SameHost(V4("127.0.0.3", 0)));
  EXPECT_EQ(given.src.port(), 71);
}

TEST_F(ConnectionManagerTest, AWildcardTargetMeansLoopback) {
  CmId& id = NewId();

  Resolve(id, {}, Wildcard(7));

  EXPECT_TRUE(id.dst.loopback());
  EXPECT_EQ(id.dst.port(), 7);
}

TEST_F(ConnectionManagerTest, WhatCanBeSeenAtOnceIsRefusedAtOnce) {
  CmId& id = NewId();
  EXPECT_EQ(Resolve(id, {}, Address()), EINVAL);
  EXPECT_EQ(Resolve(id, Loopback(0, AF_INET6), Loopback(7)), EINVAL) << "two families";
  EXPECT_EQ(Resolve(id, V4("192.0.2.1", 0), Loopback(7)), EADDRNOTAVAIL) << "not ours";
  EXPECT_EQ(cm_.ResolveRoute(id, 1000), EINVAL) << "no address";
  EXPECT_EQ(cm_.Connect(id, full_), EINVAL);
  EXPECT_EQ(cm_.Accept(id, full_), EINVAL);
  EXPECT_EQ(cm_.Reject(id, 28, {}), EINVAL);
  EXPECT_EQ(cm_.Establish(id), EINVAL);
  EXPECT_EQ(cm_.Disconnect(id), EINVAL) << "never connected";
  EXPECT_EQ(cm_.BindAddr(id, Loopback(0)), 0);
  EXPECT_EQ(cm_.BindAddr(id, Loopback(0)), EINVAL) << "bound already";
  EXPECT_EQ(Resolve(id, {}, Loopback(7, AF_INET6)), EINVAL) << "the id has a family by now";
  EXPECT_EQ(Resolve(id, {}, Loopback(7)), 0);
  EXPECT_EQ(Resolve(id, {}, Loopback(7)), EINVAL) << "resolved already";
  EXPECT_EQ(cm_.ResolveRoute(id, 0), EINVAL) << "a time-out is required";
  EXPECT_EQ(cm_.ResolveRoute(id, -1), EINVAL);
}

TEST_F(ConnectionManagerTest, MigrationTakesTheUnreadEventsAlong) {
  Establish();
  EventChannel other;
  cm_.Disconnect(*active_);

  cm_.Migrate(*passive_, other);

  EXPECT_TRUE(server_channel_.empty());
  EXPECT_FALSE(server_channel_.fd().TryTake());
  EXPECT_EQ(Fetch(other).type, CmEventType::kDisconnected);
}

TEST_F(ConnectionManagerTest, AMigratingListenerTakesItsUnreadRequestsAlong) {
  CmId* listener = Listen(7);
  CmId* active = ConnectionTest::Resolve(7, *client_.qp);
  cm_.Connect(*active, full_);
  EventChannel other;

  cm_.Migrate(*listener, other);

  const CmEvent request = Fetch(other);
  EXPECT_EQ(request.type, CmEventType::kConnectRequest);
  EXPECT_EQ(request.id->channel, &other);
}

TEST_F(ConnectionManagerTest, DestroyingAnIdWithdrawsItsUnreadEvents) {
  Establish();
  cm_.Disconnect(*active_);

  cm_.DestroyId(*passive_);

  EXPECT_TRUE(server_channel_.empty());
  EXPECT_FALSE(server_channel_.fd().TryTake());
}

TEST_F(ConnectionManagerTest, AClosedChannelEndsTheConnectionsOfItsIds) {
  Establish();

  cm_.CloseChannel(server_channel_);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kDisconnected);
  EXPECT_EQ(cm_.BindAddr(NewId(), Loopback(7)), 0) << "the listener's port is free";
  cm_.DestroyId(*passive_);
  cm_.DestroyId(*listener_);
}

TEST_F(ConnectionManagerTest, AClosedChannelRejectsTheRequestsThatWaitInIt) {
  Listen(7);
  CmId* active = ConnectionTest::Resolve(7, *client_.qp);
  cm_.Connect(*active, full_);

  cm_.CloseChannel(server_channel_);

  EXPECT_EQ(Fetch(client_channel_).status, reject_reason::kConsumerDefined);
}

TEST_F(ConnectionManagerTest, ARemovedDeviceTellsEveryIdThatHasIt) {
  Establish();
  CmId& idle = NewId();

  cm_.RemoveDevice();

  for (CmId* id : {active_, passive_, listener_}) {
    EXPECT_EQ(id->state, CmState::kDeviceRemoved);
    EXPECT_EQ(cm_.Disconnect(*id), EINVAL);
  }
  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kDeviceRemoval);
  EXPECT_EQ(Fetch(client_channel_).type, kNoEvent) << "not for an id without a device";
  EXPECT_EQ(client_.qp->state(), QpState::kErr);
  EXPECT_EQ(cm_.BindAddr(idle, Loopback(7)), ENODEV);
  EXPECT_EQ(Resolve(NewId(), {}, Loopback(7)), 0);
  EXPECT_EQ(Fetch(client_channel_).status, -ENODEV);
  cm_.ReturnDevice();
  EXPECT_EQ(cm_.BindAddr(idle, Loopback(7)), 0);
}

}  // namespace
}  // namespace fakenic
