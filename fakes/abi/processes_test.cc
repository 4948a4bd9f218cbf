// Programs of several processes on one fabric.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "abi/raw_pair.h"
#include "abi/test_processes.h"

namespace fakenic {
namespace {

constexpr unsigned kFast = 1000;  // the clock's rate where a time-out is waited for

// Serves a connection until its client disconnects; 0 if it did.
int Serve(Child& client) {
  WireServer server;
  server.Accept(client);
  return NextEvent(server.events) == RDMA_CM_EVENT_DISCONNECTED ? 0 : 1;
}

ibv_wc_status Completed(const ibv_wc& wc, uint64_t wr_id) {
  EXPECT_EQ(wc.wr_id, wr_id);
  return wc.status;
}

class Processes : public testing::Test {
 protected:
  void TearDown() override { fakenic_set_clock_rate(1); }
};

TEST_F(Processes, EveryOperationWorksBetweenTwo) {
  Child child([](Child& client) {
    WireServer server;
    server.Accept(client);
    const ibv_wc received = server.end.Await();
    if (received.status != IBV_WC_SUCCESS || received.byte_len != 16) return 2;
    client.Tell('r');
    if (NextEvent(server.events) != RDMA_CM_EVENT_DISCONNECTED) return 3;
    return server.end.memory[0] == 'a' + 1 ? 0 : 4;
  });
  WireClient client;
  client.Connect(child);
  std::fill(client.end.memory.begin(), client.end.memory.end(), 'a');

  client.end.Post(IBV_WR_RDMA_WRITE, 1, 4096, client.there);
  EXPECT_EQ(Completed(client.end.Poll(), 1), IBV_WC_SUCCESS);
  client.end.Post(IBV_WR_SEND, 2, 16, {});
  EXPECT_EQ(Completed(client.end.Await(), 2), IBV_WC_SUCCESS);
  EXPECT_EQ(child.Hear<char>(), 'r');
  client.end.Post(IBV_WR_ATOMIC_FETCH_AND_ADD, 3, 8, client.there);
  EXPECT_EQ(Completed(client.end.Await(), 3), IBV_WC_SUCCESS);
  std::fill(client.end.memory.begin(), client.end.memory.end(), '\0');
  client.end.Post(IBV_WR_RDMA_READ, 4, 4096, client.there);
  EXPECT_EQ(Completed(client.end.Poll(), 4), IBV_WC_SUCCESS);
  EXPECT_EQ(client.end.memory[0], 'a' + 1);
  EXPECT_EQ(client.end.memory[4095], 'a');

  rdma_disconnect(client.end.id);
  EXPECT_EQ(child.Wait(), 0);
}

TEST_F(Processes, AFlushIsAnsweredOrRefusedByTheOwnerOfTheMemory) {
  Child child([](Child& client) { return Serve(client); });
  WireClient client;
  client.Connect(child);

  EXPECT_EQ(client.end.Flush(1, 4096, client.there), 0);
  const ibv_wc flushed = client.end.Poll();
  EXPECT_EQ(Completed(flushed, 1), IBV_WC_SUCCESS);
  EXPECT_EQ(int{flushed.opcode}, static_cast<int>(WcOpcode::kFlush));
  EXPECT_EQ(client.end.Flush(2, 4097, client.there), 0);
  EXPECT_EQ(Completed(client.end.Await(), 2), IBV_WC_REM_ACCESS_ERR);

  rdma_disconnect(client.end.id);
  EXPECT_EQ(child.Wait(), 0);
}

fakenic_traffic Traffic() {
  fakenic_traffic now{};
  fakenic_get_traffic(&now);
  return now;
}

// Both are children, that have spoken with nobody else.
TEST_F(Processes, WhatOneSentTheOtherHasTaken) {
  Child pair([](Child& test) {
    Child child([](Child& client) {
      WireServer server;
      server.Accept(client);
      client.Hear<char>();
      client.Tell(Traffic());
      return NextEvent(server.events) == RDMA_CM_EVENT_DISCONNECTED ? 0 : 1;
    });
    WireClient client;
    client.Connect(child);
    const uint64_t before = Traffic().sent;
    client.end.Post(IBV_WR_RDMA_WRITE, 1, 8, client.there);
    client.end.Poll();
    test.Tell(before);
    test.Tell(Traffic());
    child.Tell('t');
    test.Tell(child.Hear<fakenic_traffic>());
    rdma_disconnect(client.end.id);
    return child.Wait();
  });
  const auto before = pair.Hear<uint64_t>();
  const auto here = pair.Hear<fakenic_traffic>();
  const auto there = pair.Hear<fakenic_traffic>();

  EXPECT_EQ(pair.Wait(), 0);
  EXPECT_EQ(here.sent, before + 1);
  EXPECT_EQ(here.sent, there.taken);
  EXPECT_EQ(here.taken, there.sent);
  EXPECT_EQ(here.waiting + there.waiting, 0u);
  EXPECT_EQ(fakenic_get_traffic(nullptr), EINVAL);
}

TEST_F(Processes, AMebibyteGoesThereAndComesBack) {
  constexpr size_t kMiB = 1 << 20;
  Child child([](Child& client) {
    WireServer server(kMiB);
    server.Accept(client);
    return NextEvent(server.events) == RDMA_CM_EVENT_DISCONNECTED ? 0 : 1;
  });
  WireClient client(kMiB);
  client.Connect(child);
  for (size_t i = 0; i < kMiB; ++i) client.end.memory[i] = static_cast<char>(i ^ i >> 8);
  const std::vector<char> sent = client.end.memory;

  client.end.Post(IBV_WR_RDMA_WRITE, 1, kMiB, client.there);
  EXPECT_EQ(Completed(client.end.Await(), 1), IBV_WC_SUCCESS);
  std::fill(client.end.memory.begin(), client.end.memory.end(), '\0');
  client.end.Post(IBV_WR_RDMA_READ, 2, kMiB, client.there);
  EXPECT_EQ(Completed(client.end.Poll(), 2), IBV_WC_SUCCESS);
  EXPECT_EQ(client.end.memory, sent);
  rdma_disconnect(client.end.id);
  EXPECT_EQ(child.Wait(), 0);
}

TEST_F(Processes, ARejectionComesBackWithItsData) {
  Child child([](Child& client) {
    WireServer server;
    client.Tell(Place{0, 0, server.port()});
    return rdma_reject(server.NextRequest(), "no", 2);
  });
  WireClient client;
  client.Ask(child.Hear<Place>().port);
  rdma_cm_event* event = nullptr;
  ASSERT_EQ(rdma_get_cm_event(client.events, &event), 0);
  EXPECT_EQ(event->event, RDMA_CM_EVENT_REJECTED);
  EXPECT_EQ(event->status, 28);
  EXPECT_EQ(std::memcmp(event->param.conn.private_data, "no", 3), 0);
  rdma_ack_cm_event(event);
  EXPECT_EQ(child.Wait(), 0);
}

TEST_F(Processes, AKilledServerDisconnectsAndItsClientsWritesEnd) {
  Child child(Serve);
  WireClient client;
  client.Connect(child);
  client.end.Post(IBV_WR_RDMA_WRITE, 1, 8, client.there);
  EXPECT_EQ(Completed(client.end.Await(), 1), IBV_WC_SUCCESS);

  child.Kill();

  EXPECT_EQ(NextEvent(client.events), RDMA_CM_EVENT_DISCONNECTED);
  fakenic_set_clock_rate(kFast);
  client.end.Post(IBV_WR_RDMA_WRITE, 2, 8, client.there);
  client.end.Post(IBV_WR_RDMA_WRITE, 3, 8, client.there);
  EXPECT_EQ(Completed(client.end.Await(), 2), IBV_WC_RETRY_EXC_ERR);
  EXPECT_EQ(Completed(client.end.Await(), 3), IBV_WC_WR_FLUSH_ERR);
}

TEST_F(Processes, AServerThatExitsWithoutAWordLooksKilled) {
  Child child([](Child& client) {
    WireServer server;
    server.Accept(client);
    client.Hear<char>();
    exit(0);
    return 1;
  });
  WireClient client;
  client.Connect(child);
  child.Tell('x');

  EXPECT_EQ(NextEvent(client.events), RDMA_CM_EVENT_DISCONNECTED);
  EXPECT_EQ(child.Wait(), 0);
}

TEST_F(Processes, AStoppedServerLetsTheRetriesEnd) {
  Child child(Serve);
  WireClient client;
  client.Connect(child);
  child.Stop();
  fakenic_set_clock_rate(kFast);

  client.end.Post(IBV_WR_RDMA_WRITE, 1, 8, client.there);
  EXPECT_EQ(Completed(client.end.Await(), 1), IBV_WC_RETRY_EXC_ERR);
  rdma_disconnect(client.end.id);
  rdma_cm_event* event = nullptr;
  ASSERT_EQ(rdma_get_cm_event(client.events, &event), 0);
  EXPECT_EQ(event->event, RDMA_CM_EVENT_DISCONNECTED);
  EXPECT_EQ(event->status, -ETIMEDOUT);
  rdma_ack_cm_event(event);

  child.Signal(SIGCONT);
  EXPECT_EQ(child.Wait(), 0) << "it hears of the disconnection late";
}

TEST_F(Processes, APortOfAKilledServerIsFree) {
  uint16_t port = 0;
  {
    Child child(Serve);
    port = child.Hear<Place>().port;
    rdma_cm_id* id = nullptr;
    sockaddr_in address = Loopback(port);
    ASSERT_EQ(rdma_create_id(nullptr, &id, nullptr, RDMA_PS_TCP), 0);
    EXPECT_EQ(rdma_bind_addr(id, reinterpret_cast<sockaddr*>(&address)), -1);
    EXPECT_EQ(errno, EADDRINUSE);
    rdma_destroy_id(id);
  }
  rdma_cm_id* id = nullptr;
  sockaddr_in address = Loopback(port);
  ASSERT_EQ(rdma_create_id(nullptr, &id, nullptr, RDMA_PS_TCP), 0);
  EXPECT_EQ(rdma_bind_addr(id, reinterpret_cast<sockaddr*>(&address)), 0);
  rdma_destroy_id(id);
}

TEST_F(Processes, AChildOfAConnectedProcessHasADeviceOfItsOwn) {
  Child server(Serve);
  WireClient client;
  client.Connect(server);
  Child child([&](Child&) {
    WireServer own;
    return own.listener->verbs != client.end.id->verbs && ibv_open_device(nullptr) != nullptr ? 0
                                                                                              : 1;
  });
  EXPECT_EQ(child.Wait(), 0);

  client.end.Post(IBV_WR_RDMA_WRITE, 1, 8, client.there);
  EXPECT_EQ(Completed(client.end.Await(), 1), IBV_WC_SUCCESS) << "the parent's is untouched";
  rdma_disconnect(client.end.id);
  EXPECT_EQ(server.Wait(), 0);
}

TEST_F(Processes, ADeadParentIsNoticedThoughItsChildLives) {
  Child server([](Child& client) {
    WireServer server;
    server.Accept(client);
    const pid_t child = fork();
    if (child == 0) {
      sleep(5);
      _exit(0);
    }
    client.Tell(child);
    return 0;
  });
  WireClient client;
  client.Connect(server);
  const pid_t grandchild = server.Hear<pid_t>();

  EXPECT_EQ(NextEvent(client.events), RDMA_CM_EVENT_DISCONNECTED);
  kill(grandchild, SIGKILL);
}

// A process of a host of its own, that has a queue pair; until its pipe is closed.
std::unique_ptr<Child> HostOf(const char* name, const char* address) {
  ibv_free_device_list(ibv_get_device_list(nullptr));  // this process stays what it is
  setenv("FAKENIC_HOST", name, 1);
  setenv("FAKENIC_ADDR", address, 1);
  auto child = std::make_unique<Child>([](Child& parent) {
    RawPair pair;
    parent.Tell('r');
    return parent.Hear<char>() == 'e' ? 0 : 1;
  });
  unsetenv("FAKENIC_HOST");
  unsetenv("FAKENIC_ADDR");
  EXPECT_EQ(child->Hear<char>(), 'r');
  return child;
}

ibv_ah_attr PathTo(const char* address) {
  ibv_ah_attr path{};
  path.port_num = 1;
  path.is_global = 1;
  path.grh.sgid_index = 1;
  inet_pton(AF_INET6, (std::string("::ffff:").append(address)).c_str(), path.grh.dgid.raw);
  return path;
}

TEST_F(Processes, APathToAnotherHostThanThatOfTheQueuePairLeadsToNobody) {
  const auto other = HostOf("b", "10.0.0.2");
  RawPair pair;
  EXPECT_EQ(Modify(pair.qp[0], IBV_QPS_RESET, {}, 0), 0);
  EXPECT_EQ(MoveToRts(pair.qp[0], pair.qp[1]->qp_num, PathTo("10.0.0.2")), 0);
  fakenic_set_clock_rate(kFast);

  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  EXPECT_EQ(ibv_query_qp(pair.qp[0], &attr, IBV_QP_DEST_QPN, &init), 0);
  EXPECT_EQ(attr.dest_qp_num, pair.qp[1]->qp_num);
  EXPECT_EQ(pair.Post(0, pair.Wr(1, IBV_WR_RDMA_WRITE)), 0);
  ibv_wc wc{};
  while (ibv_poll_cq(ibv_cq_ex_to_cq(pair.cq[0]), 1, &wc) == 0) sched_yield();
  EXPECT_EQ(Completed(wc, 1), IBV_WC_RETRY_EXC_ERR);
  other->Tell('e');
  EXPECT_EQ(other->Wait(), 0);
}

TEST_F(Processes, APathToNobodyIsRefused) {
  RawPair pair;
  EXPECT_EQ(Modify(pair.qp[0], IBV_QPS_RESET, {}, 0), 0);

  EXPECT_EQ(MoveToRts(pair.qp[0], pair.qp[1]->qp_num, PathTo("10.0.0.9")), ETIMEDOUT);
  EXPECT_EQ(pair.qp[0]->state, IBV_QPS_INIT);

  ibv_ah_attr link_local = PathTo("10.0.0.9");
  ASSERT_EQ(ibv_query_gid(pair.qp[0]->context, 1, 0, &link_local.grh.dgid), 0);
  for (const int byte : {14, 15}) {  // of a host beyond the most, of one that nobody has made
    ibv_ah_attr path = link_local;
    path.grh.dgid.raw[byte] ^= 8;
    EXPECT_EQ(Modify(pair.qp[0], IBV_QPS_RESET, {}, 0), 0);
    EXPECT_EQ(MoveToRts(pair.qp[0], pair.qp[1]->qp_num, path), ETIMEDOUT) << byte;
  }
}

// Each test process is on a fabric of its own, so that nothing else on the machine is met.
class OwnFabric : public testing::Environment {
 public:
  void SetUp() override { setenv("FAKENIC_FABRIC", directory_.path.c_str(), 1); }

 private:
  TestDirectory directory_;
};

const auto* const own_fabric = testing::AddGlobalTestEnvironment(new OwnFabric);

}  // namespace
}  // namespace fakenic
