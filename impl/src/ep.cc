#include "ep.h"

#include "address.h"
#include "conn_req.h"

namespace rpma {
namespace {

constexpr int kLargestBacklog = 0;  // rdma_listen(3) lets the kernel choose its own limit

// Stores an id that listens at the address in *id.
int ListenAt(const rdma_addrinfo& info, rdma_event_channel* channel, CmId* id) {
  CmId candidate = CmId::Make(channel);
  if (rdma_bind_addr(candidate.get(), info.ai_src_addr) != 0) {
    return ProviderFailure("rdma_bind_addr", errno);
  }
  if (rdma_listen(candidate.get(), kLargestBacklog) != 0) {
    return ProviderFailure("rdma_listen", errno);
  }
  *id = std::move(candidate);
  return 0;
}

}  // namespace
}  // namespace rpma

rpma_ep::rpma_ep(const rpma_peer& ep_peer, const char* addr, const char* port)
    : peer(ep_peer),
      event_channel(rpma::OrThrow(rdma_create_event_channel(), "rdma_create_event_channel")) {
  rpma::TryAddresses(addr, port, RAI_PASSIVE, [&](const rdma_addrinfo& info) {
    return rpma::ListenAt(info, event_channel.get(), &id);
  });
  rpma::Log{RPMA_LOG_LEVEL_NOTICE}("listening at %s:%s", addr, port);
}

int rpma_ep_listen(struct rpma_peer* peer, const char* addr, const char* port,
                   struct rpma_ep** ep_ptr) {
  if (peer == nullptr || addr == nullptr || port == nullptr || ep_ptr == nullptr) {
    return RPMA_E_INVAL;
  }
  return rpma::Boundary([&] { *ep_ptr = new rpma_ep(*peer, addr, port); });
}

int rpma_ep_shutdown(struct rpma_ep** ep_ptr) {
  if (ep_ptr == nullptr) return RPMA_E_INVAL;
  rpma_ep* ep = *ep_ptr;
  if (ep == nullptr) return 0;
  if (const int code = ep->id.Close(); code != 0) return code;
  delete ep;
  *ep_ptr = nullptr;
  return 0;
}

int rpma_ep_get_fd(const struct rpma_ep* ep, int* fd) {
  if (ep == nullptr || fd == nullptr) return RPMA_E_INVAL;
  *fd = ep->event_channel->fd;
  return 0;
}

int rpma_ep_next_conn_req(struct rpma_ep* ep, const struct rpma_conn_cfg* cfg,
                          struct rpma_conn_req** req_ptr) {
  if (ep == nullptr || req_ptr == nullptr) return RPMA_E_INVAL;
  const rpma_conn_cfg& config = rpma_conn_cfg::OrDefaults(cfg);
  if (const int code = config.Check(); code != 0) return code;
  rdma_cm_event* event;
  if (const int code = rpma::NextCmEvent(ep->event_channel.get(), &event); code != 0) return code;
  if (event->event != RDMA_CM_EVENT_CONNECT_REQUEST) {
    rpma::Log{RPMA_LOG_LEVEL_ERROR}("unexpected event: %s", rdma_event_str(event->event));
    rdma_ack_cm_event(event);
    return RPMA_E_INVAL;
  }
  return rpma::Boundary([&] {
    rpma::CmId id = rpma::CmId::OfRequest(event->id);
    rpma::PrivateData private_data;
    private_data.Assign(event->param.conn);
    rpma::ThrowIf(rpma::CmResult(rdma_ack_cm_event(event), "rdma_ack_cm_event"));
    auto req = std::make_unique<rpma_conn_req>(std::move(id), ep->peer, config);
    req->conn->private_data = private_data;
    *req_ptr = req.release();
  });
}
