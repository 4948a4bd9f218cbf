#include "conn_req.h"

#include "address.h"

namespace rpma {
namespace {

constexpr uint8_t kInfiniteRetries = 7;

// Stores an id that has a device and a route to the address in *id.
int ResolveId(const rdma_addrinfo& info, int timeout_ms, CmId* id) {
  CmId candidate = CmId::Make(/*channel=*/nullptr);
  const int addr_result =
      rdma_resolve_addr(candidate.get(), info.ai_src_addr, info.ai_dst_addr, timeout_ms);
  if (addr_result != 0) return ProviderFailure("rdma_resolve_addr", errno);
  if (rdma_resolve_route(candidate.get(), timeout_ms) != 0) {
    return ProviderFailure("rdma_resolve_route", errno);
  }
  *id = std::move(candidate);
  return 0;
}

// Sends the request or accepts it.
int ConnectOrAccept(CmId& id, const rpma_conn_private_data* pdata) {
  rdma_conn_param param{};
  if (pdata != nullptr) {
    param.private_data = pdata->ptr;
    param.private_data_len = pdata->len;
  }
  param.responder_resources = RDMA_MAX_RESP_RES;
  param.initiator_depth = RDMA_MAX_INIT_DEPTH;
  param.flow_control = 1;
  param.retry_count = kInfiniteRetries;
  param.rnr_retry_count = kInfiniteRetries;
  if (!id.is_unanswered_request()) {
    Log{RPMA_LOG_LEVEL_NOTICE}("connecting");
    return CmResult(rdma_connect(id.get(), &param), "rdma_connect");
  }
  Log{RPMA_LOG_LEVEL_NOTICE}("accepting a connection");
  const int code = CmResult(rdma_accept(id.get(), &param), "rdma_accept");
  if (code == 0) id.SetAnswered();
  return code;
}

}  // namespace
}  // namespace rpma

int rpma_conn_req_new(struct rpma_peer* peer, const char* addr, const char* port,
                      const struct rpma_conn_cfg* cfg, struct rpma_conn_req** req_ptr) {
  if (peer == nullptr || addr == nullptr || port == nullptr || req_ptr == nullptr) {
    return RPMA_E_INVAL;
  }
  const rpma_conn_cfg& config = rpma_conn_cfg::OrDefaults(cfg);
  if (const int code = config.Check(); code != 0) return code;
  return rpma::Boundary([&] {
    rpma::CmId id;
    rpma::TryAddresses(addr, port, /*flags=*/0, [&](const rdma_addrinfo& info) {
      return rpma::ResolveId(info, config.timeout_ms, &id);
    });
    *req_ptr = new rpma_conn_req(std::move(id), *peer, config);
  });
}

int rpma_conn_req_delete(struct rpma_conn_req** req_ptr) {
  if (req_ptr == nullptr) return RPMA_E_INVAL;
  const std::unique_ptr<rpma_conn_req> req(std::exchange(*req_ptr, nullptr));
  return req ? req->conn->Close() : 0;
}

int rpma_conn_req_connect(struct rpma_conn_req** req_ptr,
                          const struct rpma_conn_private_data* pdata, struct rpma_conn** conn_ptr) {
  if (req_ptr == nullptr || *req_ptr == nullptr) return RPMA_E_INVAL;
  const std::unique_ptr<rpma_conn_req> req(std::exchange(*req_ptr, nullptr));
  if (conn_ptr == nullptr) return RPMA_E_INVAL;
  if (pdata != nullptr && (pdata->ptr == nullptr || pdata->len == 0)) return RPMA_E_INVAL;
  const int code = rpma::ConnectOrAccept(req->conn->id, pdata);
  if (code == 0) *conn_ptr = req->conn.release();
  return code;
}

int rpma_conn_req_get_private_data(const struct rpma_conn_req* req,
                                   struct rpma_conn_private_data* pdata) {
  if (req == nullptr || pdata == nullptr) return RPMA_E_INVAL;
  *pdata = req->conn->private_data.View();
  return 0;
}
