// The checks of rpma_ep_next_conn_req(3), beside its page in spec/.
#include "spec/rpma_ep_next_conn_req.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_ep_next_conn_req {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand(
           {"given request; rpma_conn_cfg_new(&cfg); rpma_conn_req_connect(&creq, NULL, &client)",
            "rpma_ep_next_conn_req",
            {{"ep", "!", "NULL"}, {"NULL", "cfg"}, {"&sreq", "!", "NULL"}},
            ""}),
       Scripts({"given request; rpma_conn_cfg_new(&cfg); rpma_srq_new(peer, NULL, &srq); "
                "rpma_conn_cfg_set_srq(cfg, srq); rpma_conn_cfg_set_compl_channel(cfg, true); "
                "rpma_conn_req_connect(&creq, NULL, &client); rpma_ep_next_conn_req(ep, cfg, "
                "&sreq); rpma_ep_shutdown(&ep); rpma_conn_next_event(client, &event)",
                "given request; rpma_conn_req_connect(&creq, NULL, &client); "
                "rpma_conn_delete(&client); rpma_ep_next_conn_req(ep, NULL, &sreq)",
                "given listening; rpma_ep_get_fd(ep, &fd); nonblock(fd); rpma_ep_next_conn_req(ep, "
                "NULL, &sreq)",
                "given request; rpma_ep_get_fd(ep, &fd); nonblock(fd); "
                "rpma_conn_req_connect(&creq, NULL, &client); rpma_ep_next_conn_req(ep, NULL, "
                "&sreq); rpma_ep_next_conn_req(ep, NULL, &again)",
                "given request; rpma_conn_req_new(peer, addr, port, NULL, &creq2); "
                "rpma_conn_req_connect(&creq, data:1, &client); rpma_conn_req_connect(&creq2, "
                "data:2, &client2); rpma_ep_next_conn_req(ep, NULL, &sreq); "
                "rpma_conn_req_get_private_data(sreq, &pdata); rpma_ep_next_conn_req(ep, NULL, "
                "&sreq2); rpma_conn_req_get_private_data(sreq2, &pdata); "
                "rpma_conn_req_delete(&sreq); rpma_conn_next_event(client, &event)",
                "given request; rpma_conn_cfg_new(&cfg); rpma_conn_cfg_set_rcq_size(cfg, 4); "
                "rpma_conn_req_connect(&creq, NULL, &client); rpma_ep_next_conn_req(ep, cfg, "
                "&sreq); rpma_conn_cfg_set_rcq_size(cfg, 0); rpma_conn_cfg_delete(&cfg); "
                "rpma_conn_req_connect(&sreq, NULL, &server); rpma_conn_get_rcq(server, &rcq); "
                "rpma_conn_next_event(client, &event); rpma_conn_next_event(server, &event)"}),
       WithFaults("given request; rpma_conn_req_connect(&creq, NULL, &client); FAULT; "
                  "rpma_ep_next_conn_req(ep, NULL, &sreq);  "
                  "rpma_ep_shutdown(&ep); rpma_conn_next_event(client, &event)",
                  {"rdma_get_cm_event EIO", "malloc ENOMEM", "mmap ENOMEM",
                   "rdma_create_event_channel EIO", "rdma_migrate_id EIO", "ibv_reg_mr ENOMEM",
                   "ibv_create_comp_channel EIO", "ibv_create_cq ENOMEM", "ibv_req_notify_cq EIO",
                   "rdma_create_qp ENOMEM", "rdma_ack_cm_event EIO"},
                  3)});
}

const ScriptChecks kChecks{&spec::rpma_ep_next_conn_req::kPage, AllScripts};

}  // namespace conformance::rpma_ep_next_conn_req
