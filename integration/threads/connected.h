// A peer on the fake, and pairs of connected ends in this process.
#pragma once

#include <gtest/gtest.h>
#include <librpma.h>

#include <cstddef>

inline constexpr size_t kRegionSize = 4096;
inline constexpr const char* kAddress = "127.0.0.1";
inline constexpr const char* kPort = "7204";

class PeerTest : public testing::Test {
 protected:
  PeerTest() {
    EXPECT_EQ(rpma_utils_get_ibv_context(kAddress, RPMA_UTIL_IBV_CONTEXT_LOCAL, &context), 0);
    EXPECT_EQ(rpma_peer_new(context, &peer), 0);
    EXPECT_EQ(rpma_mr_reg(peer, memory, sizeof(memory), 0xff, &mr), 0);
    EXPECT_EQ(rpma_mr_get_descriptor(mr, descriptor), 0);
    EXPECT_EQ(rpma_mr_remote_from_descriptor(descriptor, sizeof(descriptor), &remote), 0);
    EXPECT_EQ(rpma_ep_listen(peer, kAddress, kPort, &ep), 0);
  }

  ~PeerTest() override {
    EXPECT_EQ(rpma_ep_shutdown(&ep), 0);
    EXPECT_EQ(rpma_mr_remote_delete(&remote), 0);
    EXPECT_EQ(rpma_mr_dereg(&mr), 0);
    EXPECT_EQ(rpma_peer_delete(&peer), 0);
  }

  // An outgoing request that is not sent yet.
  rpma_conn_req* Outgoing(const rpma_conn_cfg* cfg) {
    rpma_conn_req* req = nullptr;
    EXPECT_EQ(rpma_conn_req_new(peer, kAddress, kPort, cfg, &req), 0);
    return req;
  }

  struct Connection {
    rpma_conn* client = nullptr;
    rpma_conn* server = nullptr;
  };

  Connection Connect(const rpma_conn_cfg* cfg) {
    Connection made;
    rpma_conn_req* req = Outgoing(cfg);
    EXPECT_EQ(rpma_conn_req_connect(&req, nullptr, &made.client), 0);
    EXPECT_EQ(rpma_ep_next_conn_req(ep, cfg, &req), 0);
    EXPECT_EQ(rpma_conn_req_connect(&req, nullptr, &made.server), 0);
    ExpectEvent(made.client, RPMA_CONN_ESTABLISHED);
    ExpectEvent(made.server, RPMA_CONN_ESTABLISHED);
    return made;
  }

  static void ExpectEvent(rpma_conn* conn, rpma_conn_event expected) {
    rpma_conn_event event = RPMA_CONN_UNDEFINED;
    EXPECT_EQ(rpma_conn_next_event(conn, &event), 0);
    EXPECT_EQ(event, expected);
  }

  static void Close(Connection& connection) {
    EXPECT_EQ(rpma_conn_disconnect(connection.client), 0);
    ExpectEvent(connection.server, RPMA_CONN_CLOSED);
    EXPECT_EQ(rpma_conn_disconnect(connection.server), 0);
    ExpectEvent(connection.client, RPMA_CONN_CLOSED);
    EXPECT_EQ(rpma_conn_delete(&connection.client), 0);
    EXPECT_EQ(rpma_conn_delete(&connection.server), 0);
  }

  alignas(8) char memory[kRegionSize] = {};
  ibv_context* context = nullptr;
  rpma_peer* peer = nullptr;
  rpma_mr_local* mr = nullptr;
  rpma_mr_remote* remote = nullptr;
  rpma_ep* ep = nullptr;
  char descriptor[21] = {};
};
