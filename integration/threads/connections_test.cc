// One connection used by many threads, and many connections used by one thread each.
#include <fcntl.h>

#include <atomic>
#include <functional>

#include "concurrently.h"
#include "connected.h"

namespace {

constexpr int kAlways = RPMA_F_COMPLETION_ALWAYS;
constexpr uint32_t kQueueSize = 1000;

class Connections : public PeerTest {
 protected:
  Connections() {
    EXPECT_EQ(rpma_conn_cfg_new(&cfg), 0);
    EXPECT_EQ(rpma_conn_cfg_set_sq_size(cfg, kQueueSize), 0);
    EXPECT_EQ(rpma_conn_cfg_set_rq_size(cfg, kQueueSize), 0);
    EXPECT_EQ(rpma_conn_cfg_set_cq_size(cfg, kQueueSize), 0);
  }
  ~Connections() override { EXPECT_EQ(rpma_conn_cfg_delete(&cfg), 0); }

  // Takes one completion, of whichever thread's operation it is.
  static void TakeOne(rpma_conn* conn) {
    rpma_cq* cq = nullptr;
    ibv_wc wc{};
    EXPECT_EQ(rpma_conn_get_cq(conn, &cq), 0);
    EXPECT_EQ(rpma_cq_get_wc(cq, 1, &wc, nullptr), 0);
    EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  }

  // Each thread posts and takes a completion; in the end as many were taken as posted.
  void PostFromManyThreads(const std::function<int(rpma_conn*, int thread)>& post) {
    Connection connection = Connect(cfg);
    Concurrently([&](int thread, int) {
      EXPECT_EQ(post(connection.client, thread), 0);
      TakeOne(connection.client);
    });
    rpma_cq* cq = nullptr;
    ibv_wc wc;
    EXPECT_EQ(rpma_conn_get_cq(connection.client, &cq), 0);
    EXPECT_EQ(rpma_cq_get_wc(cq, 1, &wc, nullptr), RPMA_E_NO_COMPLETION);
    Close(connection);
  }

  rpma_conn_cfg* cfg = nullptr;
};

// The 64 bytes of a thread.
size_t At(int thread) { return static_cast<size_t>(thread) * 64; }

TEST_F(Connections, ReadsAreMadeByManyThreads) {
  PostFromManyThreads([&](rpma_conn* conn, int thread) {
    return rpma_read(conn, mr, At(thread), remote, 2048, 8, kAlways, nullptr);
  });
}

TEST_F(Connections, WritesAreMadeByManyThreads) {
  PostFromManyThreads([&](rpma_conn* conn, int thread) {
    return rpma_write(conn, remote, At(thread), mr, 2048, 8, kAlways, nullptr);
  });
}

TEST_F(Connections, AtomicWritesAreMadeByManyThreads) {
  PostFromManyThreads([&](rpma_conn* conn, int thread) {
    const char bytes[8] = {static_cast<char>(thread)};
    return rpma_atomic_write(conn, remote, At(thread), bytes, kAlways, nullptr);
  });
}

TEST_F(Connections, FlushesAreMadeByManyThreads) {
  PostFromManyThreads([&](rpma_conn* conn, int thread) {
    return rpma_flush(conn, remote, At(thread), 8, RPMA_FLUSH_TYPE_VISIBILITY, kAlways, nullptr);
  });
}

TEST_F(Connections, MessagesAreSentAndReceivedByManyThreads) {
  Connection connection = Connect(cfg);
  Concurrently([&](int thread, int round) {
    EXPECT_EQ(rpma_recv(connection.server, mr, At(thread), 8, nullptr), 0);
    switch (round % 3) {
      case 0:
        EXPECT_EQ(rpma_send(connection.client, mr, 2048, 8, kAlways, nullptr), 0);
        break;
      case 1:
        EXPECT_EQ(rpma_send_with_imm(connection.client, mr, 2048, 8, kAlways, 7, nullptr), 0);
        break;
      default:
        EXPECT_EQ(
            rpma_write_with_imm(connection.client, remote, 1024, mr, 2048, 8, kAlways, 7, nullptr),
            0);
    }
    TakeOne(connection.client);
    TakeOne(connection.server);
  });
  Close(connection);
}

TEST_F(Connections, APlatformIsAppliedWhileOthersFlush) {
  Connection connection = Connect(cfg);
  std::atomic<int> posted{0};
  Concurrently([&](int thread, int round) {
    if (thread % 2 == 0) {
      const char described = static_cast<char>(round % 2);
      rpma_peer_cfg* pcfg = nullptr;
      EXPECT_EQ(rpma_peer_cfg_from_descriptor(&described, 1, &pcfg), 0);
      EXPECT_EQ(rpma_conn_apply_remote_peer_cfg(connection.client, pcfg), 0);
      EXPECT_EQ(rpma_peer_cfg_delete(&pcfg), 0);
      return;
    }
    const int code =
        rpma_flush(connection.client, remote, 0, 8, RPMA_FLUSH_TYPE_PERSISTENT, kAlways, nullptr);
    EXPECT_TRUE(code == 0 || code == RPMA_E_NOSUPP) << code;
    if (code == 0) ++posted;
  });
  for (int i = 0; i < posted; ++i) TakeOne(connection.client);
  Close(connection);
}

TEST_F(Connections, GettersAreCalledByManyThreads) {
  Connection connection = Connect(cfg);
  Concurrently([&](int, int) {
    rpma_conn_private_data pdata{};
    rpma_cq *cq = nullptr, *rcq = nullptr;
    uint32_t qp_num = 0;
    int event_fd = -1, compl_fd = -1, cq_fd = -1;
    EXPECT_EQ(rpma_conn_get_private_data(connection.client, &pdata), 0);
    EXPECT_EQ(rpma_conn_get_cq(connection.client, &cq), 0);
    EXPECT_EQ(rpma_conn_get_rcq(connection.client, &rcq), 0);
    EXPECT_EQ(rpma_conn_get_qp_num(connection.client, &qp_num), 0);
    EXPECT_EQ(rpma_conn_get_event_fd(connection.client, &event_fd), 0);
    EXPECT_EQ(rpma_conn_get_compl_fd(connection.client, &compl_fd), RPMA_E_NOT_SHARED_CHNL);
    EXPECT_EQ(rpma_cq_get_fd(cq, &cq_fd), 0);
    EXPECT_NE(event_fd, cq_fd);
  });
  Close(connection);
}

// Of several threads that wait, one gets the event; the others do not wait for ever, because the
// descriptor is non-blocking.
TEST_F(Connections, ManyThreadsWaitForCompletions) {
  for (const bool shared : {false, true}) {
    EXPECT_EQ(rpma_conn_cfg_set_compl_channel(cfg, shared), 0);
    Connection connection = Connect(cfg);
    rpma_cq* cq = nullptr;
    int fd = -1;
    EXPECT_EQ(rpma_conn_get_cq(connection.client, &cq), 0);
    EXPECT_EQ(rpma_cq_get_fd(cq, &fd), 0);
    ASSERT_EQ(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
    std::atomic<int> events{0};
    Concurrently([&](int, int) {
      EXPECT_EQ(rpma_write(connection.client, remote, 0, mr, 0, 8, kAlways, nullptr), 0);
      rpma_cq* got = cq;
      bool is_rcq = false;
      const int code =
          shared ? rpma_conn_wait(connection.client, 0, &got, &is_rcq) : rpma_cq_wait(cq);
      EXPECT_TRUE(code == 0 || code == RPMA_E_NO_COMPLETION) << code;
      if (code == 0) ++events;
      TakeOne(connection.client);
    });
    EXPECT_GT(events, 0);
    Close(connection);
  }
}

TEST_F(Connections, AnIncomingRequestIsUsedByManyThreads) {
  rpma_conn_req *outgoing = Outgoing(cfg), *incoming = nullptr;
  Connection connection;
  ASSERT_EQ(rpma_conn_req_connect(&outgoing, nullptr, &connection.client), 0);
  ASSERT_EQ(rpma_ep_next_conn_req(ep, cfg, &incoming), 0);
  Concurrently([&](int thread, int) {
    rpma_conn_private_data pdata{};
    EXPECT_EQ(rpma_conn_req_get_private_data(incoming, &pdata), 0);
    EXPECT_EQ(rpma_conn_req_recv(incoming, mr, At(thread), 8, nullptr), 0);
  });
  EXPECT_EQ(rpma_conn_req_delete(&incoming), 0);
  ExpectEvent(connection.client, RPMA_CONN_REJECTED);
  EXPECT_EQ(rpma_conn_delete(&connection.client), 0);
}

TEST_F(Connections, ASharedReceiveQueueIsUsedByManyThreads) {
  rpma_srq_cfg* srq_cfg = nullptr;
  rpma_srq* srq = nullptr;
  ASSERT_EQ(rpma_srq_cfg_new(&srq_cfg), 0);
  ASSERT_EQ(rpma_srq_cfg_set_rq_size(srq_cfg, kQueueSize), 0);
  ASSERT_EQ(rpma_srq_new(peer, srq_cfg, &srq), 0);
  ASSERT_EQ(rpma_srq_cfg_delete(&srq_cfg), 0);
  ASSERT_EQ(rpma_conn_cfg_set_srq(cfg, srq), 0);
  Connection connection = Connect(cfg);
  Concurrently([&](int thread, int) {
    rpma_cq* rcq = nullptr;
    rpma_srq* named = nullptr;
    ibv_wc wc{};
    EXPECT_EQ(rpma_conn_cfg_set_srq(cfg, srq), 0);
    EXPECT_EQ(rpma_conn_cfg_get_srq(cfg, &named), 0);
    EXPECT_EQ(named, srq);
    EXPECT_EQ(rpma_srq_get_rcq(srq, &rcq), 0);
    EXPECT_EQ(rpma_srq_recv(srq, mr, At(thread), 8, nullptr), 0);
    EXPECT_EQ(rpma_send(connection.client, mr, 2048, 8, kAlways, nullptr), 0);
    TakeOne(connection.client);
    EXPECT_EQ(rpma_cq_get_wc(rcq, 1, &wc, nullptr), 0);
    EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  });
  Close(connection);
  EXPECT_EQ(rpma_srq_delete(&srq), 0);
}

// On the fake as on a device: what a connection uses is busy, and goes with the connection.
TEST_F(Connections, AnSrqThatIsDeletedTooEarlyGoesWithItsConnection) {
  rpma_srq* srq = nullptr;
  ASSERT_EQ(rpma_srq_new(peer, nullptr, &srq), 0);
  ASSERT_EQ(rpma_conn_cfg_set_srq(cfg, srq), 0);
  Connection connection = Connect(cfg);
  EXPECT_EQ(rpma_srq_delete(&srq), RPMA_E_PROVIDER);

  Close(connection);  // and the peer can then be deleted
}

// Requests are made one at a time, as their pages demand; what comes after is each thread's own.
TEST_F(Connections, EachThreadConnectsUsesAndDeletesItsOwn) {
  rpma_conn_req *outgoing[kThreads], *incoming[kThreads];
  Connection connections[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    outgoing[i] = Outgoing(cfg);
    ASSERT_EQ(rpma_conn_req_connect(&outgoing[i], nullptr, &connections[i].client), 0);
    ASSERT_EQ(rpma_ep_next_conn_req(ep, cfg, &incoming[i]), 0);
  }
  Concurrently(
      [&](int thread, int) {
        Connection& own = connections[thread];
        EXPECT_EQ(rpma_conn_req_connect(&incoming[thread], nullptr, &own.server), 0);
        ExpectEvent(own.client, RPMA_CONN_ESTABLISHED);
        ExpectEvent(own.server, RPMA_CONN_ESTABLISHED);
        EXPECT_EQ(rpma_write(own.client, remote, At(thread), mr, 2048, 8, kAlways, nullptr), 0);
        TakeOne(own.client);
        Close(own);
      },
      /*rounds=*/1);
}

// While one thread waits for requests, an accepted connection's events are the connection's.
TEST_F(Connections, AnEndpointThatListensTakesNoEventOfAConnection) {
  std::jthread listener([&] {
    for (int i = 0; i < kRounds; ++i) {
      rpma_conn_req* req = nullptr;
      rpma_conn* server = nullptr;
      ASSERT_EQ(rpma_ep_next_conn_req(ep, cfg, &req), 0);
      std::jthread([&] {
        EXPECT_EQ(rpma_conn_req_connect(&req, nullptr, &server), 0);
        ExpectEvent(server, RPMA_CONN_ESTABLISHED);
        ExpectEvent(server, RPMA_CONN_CLOSED);
        EXPECT_EQ(rpma_conn_disconnect(server), 0);
        EXPECT_EQ(rpma_conn_delete(&server), 0);
      }).join();
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    rpma_conn_req* req = Outgoing(cfg);
    rpma_conn* client = nullptr;
    ASSERT_EQ(rpma_conn_req_connect(&req, nullptr, &client), 0);
    ExpectEvent(client, RPMA_CONN_ESTABLISHED);
    EXPECT_EQ(rpma_conn_disconnect(client), 0);
    ExpectEvent(client, RPMA_CONN_CLOSED);
    EXPECT_EQ(rpma_conn_delete(&client), 0);
  }
}

}  // namespace
