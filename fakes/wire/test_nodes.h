// For tests: two networks in one process, each as a process of its own would have it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include "cm/test_connection.h"
#include "wire/directory.h"
#include "wire/network.h"
#include "wire/test_directory.h"

namespace fakenic {

inline constexpr uint16_t kPort = 7471;

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

}  // namespace fakenic
