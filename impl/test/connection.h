// What most tests start from: a peer, and a client's connection over the provider.
#pragma once

#include <gtest/gtest.h>
#include <librpma.h>

#include "provider.h"

namespace rpma::test {

// Arguments of calls.
inline const void* const kContext = reinterpret_cast<void*>(uintptr_t{0x1234567890});
inline constexpr size_t kTooLong = (size_t{1} << 31) + 1;
inline constexpr int kAlways = RPMA_F_COMPLETION_ALWAYS;
inline constexpr int kOnError = RPMA_F_COMPLETION_ON_ERROR;

class ProviderTest : public testing::Test {
 protected:
  ProviderTest() { EXPECT_EQ(rpma_peer_new(context(), &peer), 0); }

  ~ProviderTest() override {
    EXPECT_EQ(rpma_peer_delete(&peer), 0);
    EXPECT_EQ(provider.Leftovers(), "");
  }

  ibv_context* context() { return &provider.context.context; }

  // The peer again, after the device has changed.
  void RenewPeer() {
    ASSERT_EQ(rpma_peer_delete(&peer), 0);
    ASSERT_EQ(rpma_peer_new(context(), &peer), 0);
  }

  rpma_conn* Connect(const rpma_conn_cfg* cfg = nullptr) {
    rpma_conn_req* req = nullptr;
    rpma_conn* conn = nullptr;
    EXPECT_EQ(rpma_conn_req_new(peer, "192.0.2.1", "7204", cfg, &req), 0);
    EXPECT_EQ(rpma_conn_req_connect(&req, nullptr, &conn), 0);
    return conn;
  }

  rpma_ep* Listen() {
    rpma_ep* ep = nullptr;
    EXPECT_EQ(rpma_ep_listen(peer, "192.0.2.1", "7204", &ep), 0);
    return ep;
  }

  // A pointer that a failing call must leave alone.
  template <typename T>
  static T* Untouched() {
    return reinterpret_cast<T*>(uintptr_t{0x5a5a5a50});
  }

  Provider provider;
  rpma_peer* peer = nullptr;
};

// Also a region on each side.
class ConnectionTest : public ProviderTest {
 protected:
  ConnectionTest() { Open(); }
  ~ConnectionTest() override { Close(); }

  void Open() {
    conn = Connect();
    qp = provider.last_id->qp;
    EXPECT_EQ(rpma_mr_reg(peer, memory, sizeof(memory), RPMA_MR_USAGE_WRITE_SRC, &src), 0);
    dst = RemoteRegion(kRemoteAddr);
  }

  void Close() {
    EXPECT_EQ(rpma_mr_remote_delete(&dst), 0);
    EXPECT_EQ(rpma_mr_dereg(&src), 0);
    EXPECT_EQ(rpma_conn_delete(&conn), 0);
  }

  static rpma_mr_remote* RemoteRegion(uint64_t addr) {
    uint8_t descriptor[21] = {};
    for (int i = 0; i < 8; ++i) descriptor[i] = static_cast<uint8_t>(addr >> (8 * i));
    descriptor[9] = 0x10;  // 4096 bytes
    descriptor[16] = kRkey;
    descriptor[20] = RPMA_MR_USAGE_WRITE_DST;
    rpma_mr_remote* region = nullptr;
    EXPECT_EQ(rpma_mr_remote_from_descriptor(descriptor, sizeof(descriptor), &region), 0);
    return region;
  }

  static constexpr uint64_t kRemoteAddr = 0x7fff0000'00001000;
  static constexpr uint32_t kRkey = 0x99;
  static constexpr uint32_t kLkey = 0x1111;

  alignas(8) char memory[4096] = {};
  rpma_conn* conn = nullptr;
  ibv_qp* qp = nullptr;
  rpma_mr_local* src = nullptr;
  rpma_mr_remote* dst = nullptr;
};

}  // namespace rpma::test
