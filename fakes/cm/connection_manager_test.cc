#include "cm/connection_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "nic/test_pair.h"

namespace fakenic {
namespace {

constexpr int kTcp = 0x106;

Address Loopback(uint16_t port) {
  Address address = Address::Loopback(AF_INET);
  address.set_port(port);
  return address;
}

class ConnectionManagerTest : public testing::Test {
 protected:
  // Fetches the next event as the library does for a program; type is -1 if there is none.
  CmEvent Fetch(EventChannel& channel) {
    if (channel.empty()) return {.type = static_cast<CmEventType>(-1), .id = nullptr};
    EXPECT_EQ(channel.fd().Take(), 0);
    CmEvent event = *channel.Pop();
    cm_.Fetched(event);
    return event;
  }

  CmId* Listen(uint16_t port, int backlog = 0) {
    CmId* id = cm_.CreateId(&server_channel_, kTcp);
    EXPECT_EQ(cm_.BindAddr(*id, Loopback(port)), 0);
    EXPECT_EQ(cm_.Listen(*id, backlog), 0);
    return id;
  }

  // An active id, its route resolved and a queue pair attached.
  CmId* Resolve(uint16_t port, Qp& qp) {
    CmId* id = cm_.CreateId(&client_channel_, kTcp);
    EXPECT_EQ(cm_.ResolveAddr(*id, {}, Loopback(port)), 0);
    EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kAddrResolved);
    EXPECT_EQ(cm_.AttachQp(*id, qp), 0);
    EXPECT_EQ(cm_.ResolveRoute(*id, 1000), 0);
    EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kRouteResolved);
    return id;
  }

  // The passive id of the request that waits, a queue pair attached.
  CmId* TakeRequest(Qp& qp) {
    CmEvent request = Fetch(server_channel_);
    EXPECT_EQ(request.type, CmEventType::kConnectRequest);
    EXPECT_EQ(cm_.AttachQp(*request.id, qp), 0);
    return request.id;
  }

  void Establish() {
    listener_ = Listen(7);
    active_ = Resolve(7, *client_.qp);
    EXPECT_EQ(cm_.Connect(*active_, full_), 0);
    passive_ = TakeRequest(*server_.qp);
    EXPECT_EQ(cm_.Accept(*passive_, full_), 0);
    EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kEstablished);
    EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kEstablished);
  }

  TestClock clock_;
  Fabric fabric_{clock_};
  Context context_{fabric_};
  TestEnd client_{context_, {4, 4, 1, 1, 8}, 8};
  TestEnd server_{context_, {4, 4, 1, 1, 8}, 8};
  EventChannel client_channel_, server_channel_;
  ConnectionManager cm_{fabric_};
  ConnParam full_{.responder_resources = 255, .initiator_depth = 255, .retry_count = 7};
  CmId *listener_ = nullptr, *active_ = nullptr, *passive_ = nullptr;
};

TEST_F(ConnectionManagerTest, ConnectsTwoQueuePairsAndMovesThemInsideTheCalls) {
  Listen(7);
  CmId* active = Resolve(7, *client_.qp);
  EXPECT_EQ(client_.qp->state(), QpState::kInit);
  cm_.Connect(*active, full_);
  CmId* passive = TakeRequest(*server_.qp);

  EXPECT_EQ(cm_.Accept(*passive, full_), 0);
  EXPECT_EQ(server_.qp->state(), QpState::kRts) << "ready when accept returns";
  EXPECT_EQ(client_.qp->state(), QpState::kInit) << "not before its event is fetched";
  EXPECT_TRUE(server_channel_.empty()) << "nor does the server hear of it";
  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kEstablished);

  EXPECT_EQ(client_.qp->state(), QpState::kRts);
  EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kEstablished);
  EXPECT_EQ(client_.qp->attr().dest_qp_num, server_.qp->num);
  EXPECT_EQ(server_.qp->attr().dest_qp_num, client_.qp->num);
}

TEST_F(ConnectionManagerTest, PrivateDataArrivesPaddedToTheSizeOfItsMessage) {
  Listen(7);
  CmId* active = Resolve(7, *client_.qp);
  full_.private_data = {1, 2};
  cm_.Connect(*active, full_);

  CmEvent request = Fetch(server_channel_);
  EXPECT_EQ(request.param.private_data.size(), 56u);
  EXPECT_EQ(request.param.private_data[1], 2);
  EXPECT_EQ(request.param.private_data[2], 0);
  cm_.AttachQp(*request.id, *server_.qp);
  full_.private_data = {3};
  cm_.Accept(*request.id, full_);

  const CmEvent established = Fetch(client_channel_);
  EXPECT_EQ(established.param.private_data.size(), 196u);
  EXPECT_EQ(established.param.private_data[0], 3);
}

TEST_F(ConnectionManagerTest, WhatOneEndMayReadTheOtherHasToAnswer) {
  Listen(7);
  CmId* active = Resolve(7, *client_.qp);
  cm_.Connect(*active, {.responder_resources = 3, .initiator_depth = 5});

  const CmEvent request = Fetch(server_channel_);
  EXPECT_EQ(request.param.responder_resources, 5);
  EXPECT_EQ(request.param.initiator_depth, 3);
  cm_.AttachQp(*request.id, *server_.qp);
  cm_.Accept(*request.id, full_);
  Fetch(client_channel_);

  EXPECT_EQ(server_.qp->attr().max_dest_rd_atomic, 5);
  EXPECT_EQ(server_.qp->attr().max_rd_atomic, 3);
  EXPECT_EQ(client_.qp->attr().max_dest_rd_atomic, 3);
  EXPECT_EQ(client_.qp->attr().max_rd_atomic, 5);
}

TEST_F(ConnectionManagerTest, TooMuchPrivateDataIsRefused) {
  Listen(7);
  CmId* active = Resolve(7, *client_.qp);
  full_.private_data.resize(57);
  EXPECT_EQ(cm_.Connect(*active, full_), EINVAL);
  full_.private_data.resize(56);
  EXPECT_EQ(cm_.Connect(*active, full_), 0);
  CmId* passive = TakeRequest(*server_.qp);

  full_.private_data.resize(197);
  EXPECT_EQ(cm_.Accept(*passive, full_), EINVAL);
  full_.private_data.resize(149);
  EXPECT_EQ(cm_.Reject(*passive, full_.private_data), EINVAL);
}

TEST_F(ConnectionManagerTest, WithoutDepthThePeerMayWriteButNotRead) {
  listener_ = Listen(7);
  active_ = Resolve(7, *client_.qp);
  cm_.Connect(*active_, {});
  passive_ = TakeRequest(*server_.qp);
  cm_.Accept(*passive_, {});
  Fetch(client_channel_);

  EXPECT_EQ(server_.qp->attr().access_flags, access_flag::kRemoteWrite);
  EXPECT_EQ(client_.qp->attr().access_flags, access_flag::kRemoteWrite);
}

TEST_F(ConnectionManagerTest, NobodyListeningRejectsWithAnInvalidServiceId) {
  CmId* active = Resolve(7, *client_.qp);

  cm_.Connect(*active, full_);

  const CmEvent event = Fetch(client_channel_);
  EXPECT_EQ(event.type, CmEventType::kRejected);
  EXPECT_EQ(event.status, 8);
  EXPECT_EQ(client_.qp->state(), QpState::kErr);
}

TEST_F(ConnectionManagerTest, AListenerOnAnotherAddressRejectsWithAnotherReason) {
  CmId* other = cm_.CreateId(&server_channel_, kTcp);
  Address six = Address::Loopback(AF_INET6);
  six.set_port(7);
  cm_.BindAddr(*other, six);
  cm_.Listen(*other, 0);
  CmId* active = Resolve(7, *client_.qp);

  cm_.Connect(*active, full_);

  EXPECT_EQ(Fetch(client_channel_).status, 28);
}

TEST_F(ConnectionManagerTest, AServersRejectionCarriesItsData) {
  Listen(7);
  CmId* active = Resolve(7, *client_.qp);
  cm_.Connect(*active, full_);
  CmId* passive = TakeRequest(*server_.qp);

  EXPECT_EQ(cm_.Reject(*passive, {9}), 0);

  const CmEvent event = Fetch(client_channel_);
  EXPECT_EQ(event.type, CmEventType::kRejected);
  EXPECT_EQ(event.status, 28);
  EXPECT_EQ(event.param.private_data.size(), 148u);
  EXPECT_EQ(event.param.private_data[0], 9);
  EXPECT_EQ(cm_.Accept(*passive, full_), EINVAL) << "answered already";
}

TEST_F(ConnectionManagerTest, DestroyingAnUnansweredRequestRejectsIt) {
  Listen(7);
  CmId* active = Resolve(7, *client_.qp);
  cm_.Connect(*active, full_);
  CmId* passive = TakeRequest(*server_.qp);

  cm_.DestroyId(*passive);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kRejected);
}

TEST_F(ConnectionManagerTest, DestroyingAListenerRejectsItsUnreadRequests) {
  CmId* listener = Listen(7);
  CmId* active = Resolve(7, *client_.qp);
  cm_.Connect(*active, full_);

  cm_.DestroyId(*listener);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kRejected);
  EXPECT_TRUE(server_channel_.empty());
  EXPECT_EQ(cm_.live_ids(), 1u);
}

TEST_F(ConnectionManagerTest, AcceptingAfterTheClientIsGoneFails) {
  Listen(7);
  CmId* active = Resolve(7, *client_.qp);
  cm_.Connect(*active, full_);
  CmId* passive = TakeRequest(*server_.qp);

  cm_.DestroyId(*active);

  EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kRejected);
  EXPECT_EQ(cm_.Accept(*passive, full_), EINVAL);
}

TEST_F(ConnectionManagerTest, ARequestBeyondTheBacklogIsDropped) {
  Listen(7, /*backlog=*/1);
  CmId* first = Resolve(7, *client_.qp);
  CmId* second = Resolve(7, *server_.qp);
  cm_.Connect(*first, full_);

  cm_.Connect(*second, full_);

  EXPECT_EQ(server_channel_.size(), 1u);
  EXPECT_TRUE(client_channel_.empty()) << "no answer, not even a rejection";
}

TEST_F(ConnectionManagerTest, ADisconnectionIsTwoSided) {
  Establish();

  EXPECT_EQ(cm_.Disconnect(*active_), 0);
  EXPECT_EQ(client_.qp->state(), QpState::kErr);
  EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kDisconnected);
  EXPECT_EQ(server_.qp->state(), QpState::kRts) << "the peer's queue pair is its own affair";
  EXPECT_TRUE(client_channel_.empty()) << "not before the peer disconnects too";
  EXPECT_EQ(cm_.Disconnect(*passive_), 0);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kDisconnected);
  EXPECT_EQ(cm_.Disconnect(*active_), 0) << "harmless once more";
  EXPECT_TRUE(server_channel_.empty());
}

TEST_F(ConnectionManagerTest, DestroyingAConnectedIdDisconnectsThePeer) {
  Establish();

  cm_.DestroyId(*passive_);

  EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kDisconnected);
  EXPECT_EQ(cm_.Disconnect(*active_), 0);
  EXPECT_TRUE(client_channel_.empty());
}

TEST_F(ConnectionManagerTest, AnIdThatNeverConnectedCannotDisconnect) {
  CmId* id = cm_.CreateId(&client_channel_, kTcp);

  EXPECT_EQ(cm_.Disconnect(*id), EINVAL);
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

TEST_F(ConnectionManagerTest, AnAddressThatTheDeviceDoesNotOwnIsNoDevice) {
  cm_.owns_address = [](const Address&) { return false; };
  CmId* id = cm_.CreateId(&client_channel_, kTcp);

  EXPECT_EQ(cm_.BindAddr(*id, Loopback(7)), ENODEV);
  EXPECT_EQ(cm_.ResolveAddr(*id, {}, Loopback(7)), 0);

  const CmEvent event = Fetch(client_channel_);
  EXPECT_EQ(event.type, CmEventType::kAddrError);
  EXPECT_EQ(event.status, -ENODEV);
}

TEST_F(ConnectionManagerTest, CallsOutOfTurnAreRefused) {
  CmId* id = cm_.CreateId(&client_channel_, kTcp);
  EXPECT_EQ(cm_.ResolveRoute(*id, 1000), EINVAL);
  EXPECT_EQ(cm_.Connect(*id, full_), EINVAL);
  EXPECT_EQ(cm_.Accept(*id, full_), EINVAL);
  EXPECT_EQ(cm_.BindAddr(*id, Address()), EINVAL);
  EXPECT_EQ(cm_.BindAddr(*id, Loopback(0)), 0);
  EXPECT_EQ(cm_.BindAddr(*id, Loopback(0)), EINVAL) << "bound already";
  EXPECT_EQ(cm_.ResolveAddr(*id, {}, Loopback(7)), 0);
  EXPECT_EQ(cm_.ResolveRoute(*id, 0), EINVAL) << "a timeout is required";
}

TEST_F(ConnectionManagerTest, ResolvingGivesAWildcardIdTheAddressOfItsRouteAndKeepsItsPort) {
  CmId* id = cm_.CreateId(&client_channel_, kTcp);
  cm_.BindAddr(*id, Address::Wildcard(AF_INET));
  const uint16_t port = id->src.port();

  cm_.ResolveAddr(*id, {}, Loopback(7));

  EXPECT_TRUE(id->src.loopback());
  EXPECT_EQ(id->src.port(), port);
}

TEST_F(ConnectionManagerTest, AWildcardTargetMeansLoopback) {
  CmId* id = cm_.CreateId(&client_channel_, kTcp);
  Address wildcard = Address::Wildcard(AF_INET);
  wildcard.set_port(7);

  cm_.ResolveAddr(*id, {}, wildcard);

  EXPECT_TRUE(id->dst.loopback());
  EXPECT_EQ(id->dst.port(), 7);
  EXPECT_NE(id->src.port(), 0);
}

}  // namespace
}  // namespace fakenic
