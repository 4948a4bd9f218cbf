// For tests of the connection manager: two ends with their channels, and a clock that the test
// moves.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include "cm/connection_manager.h"
#include "nic/test_pair.h"

namespace fakenic {

inline constexpr int kTcp = 0x106;
inline constexpr int kUdp = 0x111;
inline constexpr uint64_t kSecondNs = 1'000'000'000;

inline Address Loopback(uint16_t port, sa_family_t family = AF_INET) {
  Address address = Address::Loopback(family);
  address.set_port(port);
  return address;
}

inline Address Wildcard(uint16_t port, sa_family_t family = AF_INET) {
  Address address = Address::Wildcard(family);
  address.set_port(port);
  return address;
}

inline Address V4(const char* text, uint16_t port) {
  sockaddr_in in{};
  in.sin_family = AF_INET;
  in.sin_port = htons(port);
  inet_pton(AF_INET, text, &in.sin_addr);
  return Address::From(reinterpret_cast<sockaddr*>(&in));
}

inline constexpr auto kNoEvent = static_cast<CmEventType>(-1);

class ConnectionTest : public testing::Test {
 protected:
  // Fetches the next event as the library does for a program; kNoEvent if there is none.
  CmEvent Fetch(EventChannel& channel) {
    while (!channel.empty()) {
      EXPECT_EQ(channel.fd().Take(), 0);
      CmEvent event = *channel.Pop();
      if (cm_.Fetched(event)) return event;
    }
    return {.type = kNoEvent, .id = nullptr};
  }

  CmId* Listen(uint16_t port, int backlog = 0) {
    CmId* id = cm_.CreateId(&server_channel_, kTcp);
    EXPECT_EQ(cm_.BindAddr(*id, Loopback(port)), 0);
    EXPECT_EQ(cm_.Listen(*id, backlog), 0);
    return id;
  }

  // An active id whose route is resolved, without a queue pair.
  CmId* Resolve(const Address& to) {
    CmId* id = cm_.CreateId(&client_channel_, kTcp);
    EXPECT_EQ(cm_.ResolveAddr(*id, {}, to, 1000), 0);
    EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kAddrResolved);
    EXPECT_EQ(cm_.ResolveRoute(*id, 1000), 0);
    EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kRouteResolved);
    return id;
  }

  CmId* Resolve(uint16_t port, Qp& qp) {
    CmId* id = Resolve(Loopback(port));
    EXPECT_EQ(cm_.AttachQp(*id, qp), 0);
    return id;
  }

  // The passive id of the request that waits, a queue pair attached.
  CmId* TakeRequest(Qp& qp) {
    CmEvent request = Fetch(server_channel_);
    EXPECT_EQ(request.type, CmEventType::kConnectRequest);
    EXPECT_EQ(cm_.AttachQp(*request.id, qp), 0);
    return request.id;
  }

  // Up to the moment at which the server has the request in hand.
  void Request() {
    listener_ = Listen(7);
    active_ = Resolve(7, *client_.qp);
    EXPECT_EQ(cm_.Connect(*active_, full_), 0);
    passive_ = TakeRequest(*server_.qp);
  }

  // Up to the moment at which both ends know that they are connected.
  void Establish() {
    Request();
    EXPECT_EQ(cm_.Accept(*passive_, full_), 0);
    EXPECT_EQ(Fetch(client_channel_).type, CmEventType::kEstablished);
    EXPECT_EQ(Fetch(server_channel_).type, CmEventType::kEstablished);
  }

  void Advance(uint64_t ns) {
    clock_.now += ns;
    cm_.FireTimers();
  }

  static void MoveToErr(Fabric& fabric, Qp& qp) {
    QpAttr attr;
    attr.state = QpState::kErr;
    EXPECT_EQ(fabric.ModifyQp(qp, attr, qp_mask::kState), 0);
  }

  TestClock clock_;
  Fabric fabric_{clock_};
  Context context_{fabric_};
  TestEnd client_{context_, {4, 4, 1, 1, 8}, 8};
  TestEnd server_{context_, {4, 4, 1, 1, 8}, 8};
  EventChannel client_channel_, server_channel_;
  ConnectionManager cm_{fabric_, clock_};
  ConnParam full_{.responder_resources = 255, .initiator_depth = 255, .retry_count = 7};
  CmId *listener_ = nullptr, *active_ = nullptr, *passive_ = nullptr;
};

}  // namespace fakenic
