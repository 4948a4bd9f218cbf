// The checks of rpma_conn_req_new(3), beside its page in spec/.
#include "spec/rpma_conn_req_new.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_req_new {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given peer; rpma_conn_cfg_new(&cfg)",
               "rpma_conn_req_new",
               {{"peer", "!", "NULL"},
                {"addr", "!", "NULL"},
                {"port", "!", "NULL"},
                {"NULL", "cfg"},
                {"&creq", "!", "NULL"}},
               ""}),
       Scripts({"given listening; rpma_conn_cfg_new(&cfg); rpma_conn_cfg_set_rcq_size(cfg, 4); "
                "rpma_conn_req_new(peer, addr, port, cfg, &creq); rpma_conn_cfg_set_rcq_size(cfg, "
                "0); rpma_conn_cfg_delete(&cfg); rpma_conn_req_connect(&creq, NULL, &client); "
                "rpma_conn_get_rcq(client, &rcq)",
                "given peer; rpma_conn_cfg_new(&cfg); rpma_srq_new(peer, NULL, &srq); "
                "rpma_conn_cfg_set_srq(cfg, srq); rpma_conn_cfg_set_compl_channel(cfg, true); "
                "rpma_conn_req_new(peer, addr, port, cfg, &creq)",
                "given peer; rpma_conn_cfg_new(&cfg); rpma_srq_new(peer, NULL, &srq); "
                "rpma_conn_cfg_set_srq(cfg, srq); rpma_conn_req_new(peer, addr, port, cfg, &creq); "
                "rpma_conn_cfg_delete(&cfg); rpma_conn_req_delete(&creq); rpma_srq_delete(&srq)",
                "given request; rpma_conn_req_new(peer, addr, port, NULL, &other)"}),
       WithFaults("given peer; FAULT; rpma_conn_req_new(peer, addr, port, NULL, &creq)",
                  {"malloc ENOMEM", "mmap ENOMEM", "rdma_create_id ENODEV",
                   "rdma_resolve_addr ENETUNREACH", "rdma_resolve_route EINVAL",
                   "ibv_create_cq ENOMEM", "rdma_getaddrinfo EINVAL",
                   "rdma_create_event_channel EIO", "rdma_migrate_id EIO", "ibv_reg_mr ENOMEM",
                   "ibv_create_comp_channel EIO", "ibv_req_notify_cq EIO", "rdma_create_qp ENOMEM"},
                  3)});
}

const ScriptChecks kChecks{&spec::rpma_conn_req_new::kPage, AllScripts};

}  // namespace conformance::rpma_conn_req_new
