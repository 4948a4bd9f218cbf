// The checks of rpma_conn_req_connect(3), beside its page in spec/.
#include "spec/rpma_conn_req_connect.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_req_connect {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Scripts({"given request; rpma_conn_req_delete(&creq); rpma_conn_req_connect(&creq, NULL, "
                "&client)"}),
       Expand({"given request",
               "rpma_conn_req_connect",
               {{"&creq", "!", "NULL"},
                {"NULL", "data:1", "data:56", "!", "data:0"},
                {"&client", "!", "NULL"}},
               ""}),
       Expand({"given requested",
               "rpma_conn_req_connect",
               {{"&sreq", "!", "NULL"},
                {"NULL", "data:1", "data:196", "!", "data:0"},
                {"&server", "!", "NULL"}},
               "rpma_conn_next_event(client, &event); rpma_conn_next_event(server, &event)"}),
       Scripts({"given request; rpma_conn_req_connect(&creq, data:5:NULL, &client)",
                "given requested; rpma_conn_req_connect(&sreq, data:5:NULL, &server); "
                "rpma_conn_next_event(client, &event)",
                "given request; rpma_conn_req_connect(&creq, data:57, &client)",
                "given requested; rpma_conn_req_connect(&sreq, data:197, &server); "
                "rpma_conn_next_event(client, &event)",
                "given request; rpma_conn_req_connect(&creq, data:255, &client)",
                "given peer; rpma_conn_req_new(peer, addr, port, NULL, &creq); "
                "rpma_conn_req_connect(&creq, NULL, &client); rpma_conn_next_event(client, &event)",
                "given requested; rpma_conn_delete(&client); rpma_conn_req_connect(&sreq, NULL, "
                "&server)"}),
       WithFaults("given request; FAULT; rpma_conn_req_connect(&creq, NULL, &client)",
                  {"rdma_connect EIO", "malloc ENOMEM", "mmap ENOMEM",
                   "rdma_create_event_channel EIO", "rdma_migrate_id EIO", "ibv_reg_mr ENOMEM"},
                  2),
       WithFaults(
           "given requested; FAULT; rpma_conn_req_connect(&sreq, NULL, &server); "
           "rpma_conn_next_event(client, &event)",
           {"rdma_accept EIO", "malloc ENOMEM", "mmap ENOMEM", "rdma_create_event_channel EIO",
            "rdma_migrate_id EIO", "ibv_reg_mr ENOMEM", "ibv_modify_qp EIO"},
           2)});
}

const ScriptChecks kChecks{&spec::rpma_conn_req_connect::kPage, AllScripts};

}  // namespace conformance::rpma_conn_req_connect
