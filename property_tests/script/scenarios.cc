#include "property_tests/script/scenarios.h"

namespace conformance {

namespace {

#define REQUEST "rpma_conn_req_new(peer, addr, port, cfg, &creq); "
#define CONFIGURED                             \
  "given listening; rpma_conn_cfg_new(&cfg); " \
  "rpma_conn_cfg_set_rcq_size(cfg, 10); rpma_conn_cfg_set_compl_channel(cfg, true); " REQUEST
#define CONNECTED                                                                          \
  "rpma_conn_req_connect(&creq, data:8, &client); rpma_ep_next_conn_req(ep, cfg, &sreq); " \
  "rpma_conn_req_connect(&sreq, data:9, &server); rpma_conn_next_event(client, &event); "  \
  "rpma_conn_next_event(server, &event); "
#define CLOSED                                                           \
  "rpma_conn_disconnect(client); rpma_conn_next_event(server, &event); " \
  "rpma_conn_disconnect(server); rpma_conn_next_event(client, &event); "
#define DELETED                                                                         \
  "rpma_conn_delete(&server); rpma_conn_delete(&client); rpma_conn_req_delete(&sreq); " \
  "rpma_conn_req_delete(&creq); rpma_conn_cfg_delete(&cfg); rpma_ep_shutdown(&ep); "    \
  "rpma_peer_delete(&peer)"
#define REGION                                                                    \
  "rpma_mr_reg(peer, mem, 4096, RPMA_MR_USAGE_WRITE_SRC|RPMA_MR_USAGE_WRITE_DST|" \
  "RPMA_MR_USAGE_SEND|RPMA_MR_USAGE_RECV, &mr); "
#define CONTEXT "rpma_utils_get_ibv_context(addr, RPMA_UTIL_IBV_CONTEXT_LOCAL, &ctx); "
#define WRITE "rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 3); "

// The failure is planned before the first call; what an endpoint leaves unanswered is looked at
// when it is gone.
constexpr Scenario kScenarios[] = {
    {"client and server", CONFIGURED CONNECTED CLOSED DELETED},
    {"own channels", "given listening; rpma_conn_cfg_new(&cfg); " REQUEST CONNECTED CLOSED DELETED},
    {"client's request", CONFIGURED "rpma_conn_req_delete(&creq); " DELETED},
    {"server's rejection",
     CONFIGURED "rpma_conn_req_connect(&creq, NULL, &client); "
                "rpma_ep_next_conn_req(ep, cfg, &sreq); rpma_conn_req_delete(&sreq); "
                "rpma_ep_shutdown(&ep); rpma_conn_next_event(client, &event); " DELETED},
    {"srq",
     "given peer; rpma_srq_new(peer, NULL, &srq); rpma_srq_get_rcq(srq, &rcq); "
     "rpma_srq_delete(&srq); rpma_peer_delete(&peer)"},
    {"ep",
     "given peer; rpma_ep_listen(peer, addr, port, &ep); rpma_ep_shutdown(&ep); "
     "rpma_ep_shutdown(&ep); rpma_peer_delete(&peer)"},
    {"peer", CONTEXT "rpma_peer_new(ctx, &peer); rpma_peer_delete(&peer); rpma_peer_delete(&peer)"},
    {"mr", "given peer; " REGION "rpma_mr_dereg(&mr); rpma_mr_dereg(&mr); rpma_peer_delete(&peer)"},
    {"post", "given memory; rpma_recv(server, mr, 0, 64, 7); " WRITE
             "rpma_send(client, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 8); "
             "rpma_read(client, mr, 0, remote, 64, 8, RPMA_F_COMPLETION_ALWAYS, 9)"},
    {"cq", "given memory; rpma_conn_get_cq(client, &cq); " WRITE
           "rpma_cq_wait(cq); rpma_cq_get_wc(cq, 1, &wc, NULL); " WRITE
           "rpma_cq_wait(cq); rpma_cq_get_wc(cq, 16, &wc, &got)"},
    {"shared cq",
     "given shared; " WRITE
     "rpma_conn_wait(client, 0, &cq, &is_rcq); rpma_cq_get_wc(cq, 1, &wc, NULL); " WRITE
     "rpma_conn_wait(client, 0, &cq, &is_rcq); rpma_cq_get_wc(cq, 16, &wc, &got)"},
};

constexpr FailingCall kFailingCalls[] = {
    {"malloc", "ENOMEM"},
    {"mmap", "ENOMEM"},
    {"munmap", "EINVAL"},
    {"rdma_getaddrinfo", "EINVAL"},
    {"rdma_create_event_channel", "EIO"},
    {"rdma_create_id", "ENODEV"},
    {"rdma_migrate_id", "EIO"},
    {"rdma_bind_addr", "EADDRINUSE"},
    {"rdma_listen", "EADDRINUSE"},
    {"rdma_resolve_addr", "ENETUNREACH"},
    {"rdma_resolve_route", "EINVAL"},
    {"rdma_create_qp", "ENOMEM"},
    {"rdma_connect", "EIO"},
    {"rdma_accept", "EIO"},
    {"rdma_reject", "EIO"},
    {"rdma_get_cm_event", "EIO"},
    {"rdma_ack_cm_event", "EIO"},
    {"rdma_disconnect", "EIO"},
    {"rdma_destroy_id", "EIO"},
    {"ibv_query_device", "EIO"},
    {"ibv_alloc_pd", "ENOMEM"},
    {"ibv_alloc_pd", "EPERM"},
    {"ibv_dealloc_pd", "EBUSY"},
    {"ibv_reg_mr", "EINVAL"},
    {"ibv_reg_mr", "ENOMEM"},
    {"ibv_reg_mr", "EOPNOTSUPP"},
    {"ibv_dereg_mr", "EIO"},
    {"ibv_create_comp_channel", "EIO"},
    {"ibv_destroy_comp_channel", "EIO"},
    {"ibv_create_cq", "ENOMEM"},
    {"ibv_destroy_cq", "EIO"},
    {"ibv_req_notify_cq", "EIO"},
    {"ibv_get_cq_event", "EIO"},
    {"ibv_poll_cq", "EIO"},
    {"ibv_create_srq", "ENOMEM"},
    {"ibv_destroy_srq", "EIO"},
    {"ibv_post_send", "ENOMEM"},
    {"ibv_post_recv", "ENOMEM"},
};

}  // namespace

std::span<const Scenario> Scenarios() { return kScenarios; }
std::span<const FailingCall> FailingCalls() { return kFailingCalls; }

}  // namespace conformance
