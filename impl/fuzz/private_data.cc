// Any bytes as the private data of a request and of an answer. The first byte says where they are
// divided.
#include <librpma.h>

#include <string_view>

#include "provider.h"
#include "require.h"

namespace {

using rpma::test::Provider;

std::string_view Text(const rpma_conn_private_data& pdata) {
  return {static_cast<const char*>(pdata.ptr), pdata.len};
}

// What programs do with it: a region, then a platform.
void Decode(const rpma_conn_private_data& pdata) {
  constexpr size_t kDescriptorSize = 21;
  rpma_mr_remote* remote = nullptr;
  rpma_peer_cfg* pcfg = nullptr;
  if (rpma_mr_remote_from_descriptor(pdata.ptr, pdata.len, &remote) != 0) return;
  const char* rest = static_cast<const char*>(pdata.ptr) + kDescriptorSize;
  const int code = rpma_peer_cfg_from_descriptor(rest, pdata.len - kDescriptorSize, &pcfg);
  REQUIRE(code == (pdata.len > kDescriptorSize ? 0 : RPMA_E_INVAL));
  REQUIRE(rpma_peer_cfg_delete(&pcfg) == 0);
  REQUIRE(rpma_mr_remote_delete(&remote) == 0);
}

rpma_conn* AcceptRequestWith(Provider& provider, rpma_peer* peer, std::string_view sent) {
  rpma_ep* ep = nullptr;
  rpma_conn_req* req = nullptr;
  rpma_conn* conn = nullptr;
  rpma_conn_private_data pdata{};
  REQUIRE(rpma_ep_listen(peer, "192.0.2.1", "7204", &ep) == 0);
  provider.PushRequest(sent);
  REQUIRE(rpma_ep_next_conn_req(ep, nullptr, &req) == 0);
  REQUIRE(rpma_ep_shutdown(&ep) == 0);
  REQUIRE(rpma_conn_req_get_private_data(req, &pdata) == 0);
  REQUIRE(Text(pdata) == sent);
  Decode(pdata);
  REQUIRE(rpma_conn_req_connect(&req, sent.empty() ? nullptr : &pdata, &conn) == 0);
  REQUIRE(provider.sent_private_data == sent);
  return conn;
}

// The answer of the other side; a connection keeps what came first.
void Establish(Provider& provider, rpma_conn* conn, std::string_view sent, std::string_view kept) {
  rpma_conn_event event;
  rpma_conn_private_data pdata{};
  provider.Push(provider.last_id->channel, RDMA_CM_EVENT_ESTABLISHED, provider.last_id, sent);
  REQUIRE(rpma_conn_next_event(conn, &event) == 0);
  REQUIRE(rpma_conn_get_private_data(conn, &pdata) == 0);
  REQUIRE(Text(pdata) == kept);
  Decode(pdata);
  REQUIRE(rpma_conn_delete(&conn) == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view request = bytes.substr(0, data[0]);
  const std::string_view answer = bytes.substr(request.size(), UINT8_MAX);
  Provider provider;
  rpma_peer* peer = nullptr;
  REQUIRE(rpma_peer_new(&provider.context.context, &peer) == 0);

  rpma_conn* server = AcceptRequestWith(provider, peer, request);
  Establish(provider, server, answer, request.empty() ? answer : request);

  rpma_conn_req* req = nullptr;
  rpma_conn* client = nullptr;
  REQUIRE(rpma_conn_req_new(peer, "192.0.2.1", "7204", nullptr, &req) == 0);
  REQUIRE(rpma_conn_req_connect(&req, nullptr, &client) == 0);
  Establish(provider, client, answer, answer);

  REQUIRE(rpma_peer_delete(&peer) == 0);
  REQUIRE(provider.Leftovers().empty());
  return 0;
}
