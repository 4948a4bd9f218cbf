// Two networks in one process, each as a process of its own would have it.
#include "wire/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include "cm/test_connection.h"
#include "wire/directory.h"
#include "wire/test_directory.h"

namespace fakenic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr uint16_t kPort = 7471;

// What a process has, without a thread: Serve() is its turn.
struct Node {
  Node(TestClock& clock, NetworkSettings settings)
      : fabric(clock), cm(fabric, clock), network(std::move(settings), fabric, cm, clock) {
    fabric.set_remote(&network);
    fabric.device().qp_numbers().claim_block = [this] { return network.ClaimBlock(); };
    cm.set_network(&network);
    cm.hosts.is_local = [this](const Address& a) { return network.IsLocal(a); };
    cm.hosts.beyond = [this](const Address& a) { return network.Beyond(a); };
    cm.hosts.source = [this](const Address& a) { return network.SourceTo(a); };
    end = std::make_unique<TestEnd>(context, QpCap{8, 8, 2, 2, 16}, 32);
  }

  void Serve() {
    network.ServeSockets();
    network.Drain();
  }

  CmEvent Fetch() {
    while (!channel.empty()) {
      EXPECT_EQ(channel.fd().Take(), 0);
      CmEvent event = *channel.Pop();
      if (cm.Fetched(event)) return event;
    }
    return {.type = kNoEvent, .id = nullptr};
  }

  std::vector<std::pair<uint64_t, WcStatus>> Poll() {
    std::vector<std::pair<uint64_t, WcStatus>> all;
    while (end->cq->size() > 0) {
      const Completion& completion = fabric.Poll(*end->cq);
      all.emplace_back(completion.wr_id, completion.status);
    }
    return all;
  }

  Fabric fabric;
  ConnectionManager cm;
  Network network;
  Context context{fabric};
  EventChannel channel;
  std::unique_ptr<TestEnd> end;
};

class NetworkTest : public testing::Test {
 protected:
  NetworkSettings Settings(const char* host, const char* address) {
    return {.directory = directory_.path, .host = host, .addresses = {Address::Parse(address)}};
  }

  Node& MakeServer() {
    return *(server_ = std::make_unique<Node>(clock_, Settings("b", "10.0.0.2")));
  }
  Node& MakeClient() {
    return *(client_ = std::make_unique<Node>(clock_, Settings("a", "10.0.0.1")));
  }

  void Run() {
    for (int i = 0; i < 8; ++i) {
      if (client_ != nullptr) client_->Serve();
      if (server_ != nullptr) server_->Serve();
    }
  }

  static Address At(const char* host, uint16_t port) {
    Address address = Address::Parse(host);
    address.set_port(port);
    return address;
  }

  void Listen(Node& node, const char* host) {
    listener_ = node.cm.CreateId(&node.channel, kTcp);
    ASSERT_EQ(node.cm.BindAddr(*listener_, At(host, kPort)), 0);
    ASSERT_EQ(node.cm.Listen(*listener_, 0), 0);
  }

  CmId* Resolve(Node& node, const char* host) {
    CmId* id = node.cm.CreateId(&node.channel, kTcp);
    EXPECT_EQ(node.cm.ResolveAddr(*id, {}, At(host, kPort), 1000), 0);
    EXPECT_EQ(node.Fetch().type, CmEventType::kAddrResolved);
    EXPECT_EQ(node.cm.ResolveRoute(*id, 1000), 0);
    EXPECT_EQ(node.Fetch().type, CmEventType::kRouteResolved);
    return id;
  }

  void Request() {
    Listen(MakeServer(), "10.0.0.2");
    active_ = Resolve(MakeClient(), "10.0.0.2");
    ASSERT_EQ(client_->cm.AttachQp(*active_, *client_->end->qp), 0);
    ConnParam param = full_;
    param.private_data = {'h', 'i'};
    ASSERT_EQ(client_->cm.Connect(*active_, param), 0);
    Run();
    const CmEvent request = server_->Fetch();
    ASSERT_EQ(request.type, CmEventType::kConnectRequest);
    EXPECT_EQ(request.param.private_data.size(), 56u);
    EXPECT_EQ(request.param.private_data[1], 'i');
    passive_ = request.id;
    ASSERT_EQ(server_->cm.AttachQp(*passive_, *server_->end->qp), 0);
  }

  void Establish() {
    Request();
    ASSERT_EQ(server_->cm.Accept(*passive_, full_), 0);
    Run();
    EXPECT_EQ(client_->Fetch().type, CmEventType::kEstablished);
    Run();
    EXPECT_EQ(server_->Fetch().type, CmEventType::kEstablished);
  }

  int Write(uint64_t wr_id) {
    sge_ = {client_->end->addr(0), 8, client_->end->mr->key};
    return client_->fabric.PostSend(*client_->end->qp, {wr_id,
                                                        WrOpcode::kRdmaWrite,
                                                        send_flag::kSignaled,
                                                        {&sge_, 1},
                                                        server_->end->addr(0),
                                                        server_->end->mr->key});
  }

  void Advance(uint64_t ns) {
    clock_.now += ns;
    for (Node* node : {client_.get(), server_.get()}) {
      if (node == nullptr) continue;
      node->fabric.FireTimers();
      node->cm.FireTimers();
    }
    Run();
  }

  void SetLink(registry::LinkState state, uint32_t delay_us = 0) {
    std::string why;
    const File directory = OpenFabricDirectory(directory_.path, why);
    auto registry = Registry::Open(directory.get(), why);
    ASSERT_NE(registry, nullptr) << why;
    ASSERT_TRUE(
        registry->SetFault(*registry->FindHost("a"), *registry->FindHost("b"), {state, delay_us}));
  }

  TestClock clock_;
  TestDirectory directory_;
  ConnParam full_{.responder_resources = 255, .initiator_depth = 255, .retry_count = 7};
  CmId *listener_ = nullptr, *active_ = nullptr, *passive_ = nullptr;
  Sge sge_{};
  std::unique_ptr<Node> client_, server_;
};

TEST_F(NetworkTest, AConnectionIsMadeUsedAndEnded) {
  Establish();
  client_->end->Fill("abcdefgh");
  ASSERT_EQ(Write(1), 0);
  Run();
  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(1, WcStatus::kSuccess)));
  EXPECT_EQ(server_->end->text(0, 8), "abcdefgh");
  EXPECT_TRUE(passive_->dst.SameHost(Address::Parse("10.0.0.1")));

  ASSERT_EQ(client_->cm.Disconnect(*active_), 0);
  Run();
  EXPECT_EQ(server_->Fetch().type, CmEventType::kDisconnected);
  ASSERT_EQ(server_->cm.Disconnect(*passive_), 0);
  Run();
  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kDisconnected);
  EXPECT_EQ(event.status, 0);
}

TEST_F(NetworkTest, BothEndsMayDisconnectAtOnce) {
  Establish();
  client_->cm.Disconnect(*active_);
  server_->cm.Disconnect(*passive_);
  Run();

  EXPECT_EQ(client_->Fetch().type, CmEventType::kDisconnected);
  EXPECT_EQ(server_->Fetch().type, CmEventType::kDisconnected);
  EXPECT_EQ(client_->Fetch().type, kNoEvent);
  EXPECT_EQ(server_->Fetch().type, kNoEvent);
}

TEST_F(NetworkTest, NobodyWhoListensIsARejection) {
  MakeServer();
  server_->network.BecomeReachable();
  CmId* id = Resolve(MakeClient(), "10.0.0.2");
  client_->cm.AttachQp(*id, *client_->end->qp);
  client_->cm.Connect(*id, full_);
  Run();

  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kRejected);
  EXPECT_EQ(event.status, reject_reason::kInvalidServiceId);
}

TEST_F(NetworkTest, ARejectionCarriesItsData) {
  Request();
  server_->cm.Reject(*passive_, reject_reason::kConsumerDefined, {'n', 'o'});
  Run();

  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kRejected);
  EXPECT_EQ(event.status, reject_reason::kConsumerDefined);
  EXPECT_EQ(event.param.private_data.size(), 148u);
  EXPECT_EQ(event.param.private_data[0], 'n');
}

TEST_F(NetworkTest, ADestroyedClientIsNoticedByTheServer) {
  Request();
  client_->cm.DestroyId(*active_);
  Run();

  EXPECT_EQ(server_->cm.Accept(*passive_, full_), EINVAL);
}

TEST_F(NetworkTest, AServerThatEndsDisconnectsAndItsQueuePairsAreSilent) {
  Establish();
  server_.reset();
  Run();
  EXPECT_EQ(client_->Fetch().type, CmEventType::kDisconnected);

  sge_ = {client_->end->addr(0), 8, client_->end->mr->key};
  client_->fabric.PostSend(
      *client_->end->qp,
      {2, WrOpcode::kRdmaWrite, send_flag::kSignaled, {&sge_, 1}, 0x1000, 0x100});
  Run();
  EXPECT_THAT(client_->Poll(), IsEmpty());
  Advance(8ull * (4096ull << 17) + 1);
  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(2, WcStatus::kRetryExcErr)));
}

TEST_F(NetworkTest, AMessageThatIsNoneClosesTheLinkAndEndsWhatGoesOverIt) {
  Establish();
  CmMessage none;
  none.kind = static_cast<CmMessage::Kind>(99);
  none.to = active_->peer;
  testing::internal::CaptureStderr();
  client_->network.Send(none);
  Run();

  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("a malformed message of the connection manager"));
  EXPECT_EQ(server_->network.links(), 0u);
  EXPECT_EQ(client_->network.links(), 0u);
  EXPECT_EQ(server_->Fetch().type, CmEventType::kDisconnected);
  EXPECT_EQ(client_->Fetch().type, CmEventType::kDisconnected);
}

TEST_F(NetworkTest, AServerThatEndsBeforeItAnswersRejects) {
  Request();
  server_.reset();
  Run();

  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kRejected);
  EXPECT_EQ(event.status, reject_reason::kConsumerDefined);
}

TEST_F(NetworkTest, AClientThatEndsBeforeItReadsTheReplyRejects) {
  Request();
  server_->cm.Accept(*passive_, full_);
  client_.reset();
  Run();

  EXPECT_EQ(server_->Fetch().type, CmEventType::kRejected);
}

TEST_F(NetworkTest, WhatAProcessSaidBeforeItEndedIsHeard) {
  Establish();
  client_->end->Fill("abcdefgh");
  Write(1);
  client_->cm.Disconnect(*active_);
  client_.reset();
  Run();

  EXPECT_EQ(server_->end->text(0, 8), "abcdefgh");
  EXPECT_EQ(server_->Fetch().type, CmEventType::kDisconnected);
}

TEST_F(NetworkTest, AnAddressThatNobodyHasIsAskedForInVain) {
  MakeClient();
  CmId* id = client_->cm.CreateId(&client_->channel, kTcp);
  EXPECT_EQ(client_->cm.ResolveAddr(*id, {}, At("10.0.0.9", kPort), 1000), 0);
  EXPECT_EQ(client_->Fetch().type, kNoEvent);
  Advance(kSecondNs + 1);

  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kAddrError);
  EXPECT_EQ(event.status, -ETIMEDOUT);
}

TEST_F(NetworkTest, ACutLinkIsSilentUntilTheTimeIsOver) {
  Establish();
  SetLink(registry::LinkState::kCut);
  server_->end->Fill("unharmed");
  Write(1);
  Run();
  EXPECT_THAT(client_->Poll(), IsEmpty());
  Advance(8ull * (4096ull << 17) + 1);
  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(1, WcStatus::kRetryExcErr)));

  SetLink(registry::LinkState::kUp);
  client_->fabric.SendAgain();
  Run();
  EXPECT_EQ(server_->end->text(0, 8), "unharmed");
  EXPECT_EQ(server_->Fetch().type, kNoEvent) << "nobody has told the connection manager";
}

TEST_F(NetworkTest, ALinkThatComesBackInTimeLosesNothing) {
  Establish();
  SetLink(registry::LinkState::kCut);
  client_->end->Fill("abcdefgh");
  Write(1);
  Run();
  SetLink(registry::LinkState::kUp);
  client_->fabric.SendAgain();
  Run();

  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(1, WcStatus::kSuccess)));
  EXPECT_EQ(server_->end->text(0, 8), "abcdefgh");
}

TEST_F(NetworkTest, AnAnswerThatACutHeldBackComesWhenTheLinkDoes) {
  Establish();
  Write(1);
  SetLink(registry::LinkState::kCut);
  Run();
  EXPECT_THAT(client_->Poll(), IsEmpty());
  SetLink(registry::LinkState::kUp);
  server_->fabric.SendAgain();
  Run();

  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(1, WcStatus::kSuccess)));
}

TEST_F(NetworkTest, ADisconnectionOverACutLinkIsTriedUntilTheTimeIsOver) {
  Establish();
  SetLink(registry::LinkState::kCut);
  client_->cm.Disconnect(*active_);
  for (int i = 0; i < 16; ++i) Advance(4'096'000'000);

  const CmEvent event = client_->Fetch();
  EXPECT_EQ(event.type, CmEventType::kDisconnected);
  EXPECT_EQ(event.status, -ETIMEDOUT);
  EXPECT_EQ(server_->Fetch().type, kNoEvent);
}

TEST_F(NetworkTest, ARequestThatACutSwallowedIsSentAgain) {
  Listen(MakeServer(), "10.0.0.2");
  active_ = Resolve(MakeClient(), "10.0.0.2");
  client_->cm.AttachQp(*active_, *client_->end->qp);
  SetLink(registry::LinkState::kCut);
  client_->cm.Connect(*active_, full_);
  Run();
  EXPECT_EQ(server_->Fetch().type, kNoEvent);
  SetLink(registry::LinkState::kUp);
  Advance(4'096'000'001);

  EXPECT_EQ(server_->Fetch().type, CmEventType::kConnectRequest);
}

TEST_F(NetworkTest, ASlowLinkDeliversLaterAndInOrder) {
  Establish();
  SetLink(registry::LinkState::kSlow, 1000);
  client_->end->Fill("abcdefgh");
  Write(1);
  Write(2);
  Run();
  EXPECT_EQ(server_->end->text(0, 8), std::string(8, '\0'));

  Advance(1'000'000);
  EXPECT_EQ(server_->end->text(0, 8), "abcdefgh");
  EXPECT_THAT(client_->Poll(), IsEmpty()) << "the answer is slow too";
  Advance(1'000'000);
  EXPECT_THAT(client_->Poll(),
              ElementsAre(Pair(1, WcStatus::kSuccess), Pair(2, WcStatus::kSuccess)));
}

TEST_F(NetworkTest, AStrangerOnTheSocketIsShownTheDoor) {
  Establish();
  std::string why;
  const File directory = OpenFabricDirectory(directory_.path, why);
  auto registry = Registry::Open(directory.get(), why);
  for (const ProcessId process : registry->Processes()) {
    File socket = ConnectLocally(directory.get(), Registry::SocketName(process));
    ASSERT_TRUE(socket.open());
    EXPECT_EQ(SendLocally(socket, "nonsense", 8, {}), 0);
    Run();
    EXPECT_EQ(ReceiveLocally(socket, 64).error, ECONNRESET);
  }
  Write(1);
  Run();
  EXPECT_THAT(client_->Poll(), ElementsAre(Pair(1, WcStatus::kSuccess)));
}

}  // namespace
}  // namespace fakenic
