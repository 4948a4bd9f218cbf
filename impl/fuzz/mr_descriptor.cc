// Any bytes as the descriptor of a region, and what the operations then ask of the provider.
#include <librpma.h>

#include <cstring>

#include "provider.h"
#include "require.h"

namespace {

using rpma::test::Provider;

constexpr size_t kDescriptorSize = 21;

struct Described {
  uint64_t addr, size;
  uint8_t usage;
};

// On a little-endian host, as the fuzzer's is.
Described Read(const uint8_t* data) {
  Described region;
  std::memcpy(&region.addr, data, sizeof(region.addr));
  std::memcpy(&region.size, data + 8, sizeof(region.size));
  region.usage = data[20];
  return region;
}

// A connection that there is once, and what it posted last.
struct Client {
  Client() {
    REQUIRE(rpma_peer_new(&provider.context.context, &peer) == 0);
    REQUIRE(rpma_conn_req_new(peer, "192.0.2.1", "7204", nullptr, &req) == 0);
    REQUIRE(rpma_conn_req_connect(&req, nullptr, &conn) == 0);
    EXPECT_CALL(provider.data_path, PostSend).WillRepeatedly([this](ibv_qp*, ibv_send_wr* wr) {
      remote_addr = wr->wr.rdma.remote_addr;
      length = wr->sg_list[0].length;
      return 0;
    });
  }

  Provider provider;
  rpma_peer* peer = nullptr;
  rpma_conn_req* req = nullptr;
  rpma_conn* conn = nullptr;
  uint64_t remote_addr = 0;
  uint32_t length = 0;
};

void Use(rpma_mr_remote* remote, const Described& region) {
  static Client client;
  constexpr int kAlways = RPMA_F_COMPLETION_ALWAYS;
  const char word[8] = {};
  REQUIRE(rpma_atomic_write(client.conn, remote, 8, word, kAlways, nullptr) ==
          (region.addr % 8 == 0 ? 0 : RPMA_E_INVAL));

  const bool flushable = (region.usage & RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY) != 0;
  for (const uint64_t offset : {uint64_t{0}, region.size / 2, region.size}) {
    REQUIRE(rpma_flush(client.conn, remote, offset, 1, RPMA_FLUSH_TYPE_VISIBILITY, kAlways,
                       nullptr) == (flushable ? 0 : RPMA_E_NOSUPP));
    if (!flushable || region.size == 0) continue;
    REQUIRE(client.remote_addr - region.addr + client.length <= region.size);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rpma_mr_remote* remote = nullptr;
  const int code = rpma_mr_remote_from_descriptor(data, size, &remote);
  if (size < kDescriptorSize) {
    REQUIRE(code == RPMA_E_INVAL);
    return 0;
  }
  const Described region = Read(data);
  REQUIRE(code == (region.usage == 0 ? RPMA_E_NOSUPP : 0));
  if (code != 0) return 0;

  size_t remote_size = 0;
  int flush_type = 0;
  REQUIRE(rpma_mr_remote_get_size(remote, &remote_size) == 0);
  REQUIRE(remote_size == region.size);
  REQUIRE(rpma_mr_remote_get_flush_type(remote, &flush_type) == 0);
  REQUIRE(flush_type == (region.usage & 0x30));
  Use(remote, region);
  REQUIRE(rpma_mr_remote_delete(&remote) == 0);
  return 0;
}
