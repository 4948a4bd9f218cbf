// The checks of rpma_conn_req_delete(3), beside its page in spec/.
#include "spec/rpma_conn_req_delete.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_req_delete {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given request",
               "rpma_conn_req_delete",
               {{"&creq", "!", "NULL"}},
               "rpma_conn_req_delete(&creq)"}),
       Scripts({"given requested; rpma_conn_req_delete(&sreq); rpma_conn_req_delete(&sreq); "
                "rpma_conn_next_event(client, &event)",
                "given requested; rpma_ep_shutdown(&ep); rpma_conn_req_delete(&sreq); "
                "rpma_conn_next_event(client, &event)",
                "given requested; rpma_conn_delete(&client); rpma_conn_req_delete(&sreq)"}),
       WithFaults("given request; FAULT; rpma_conn_req_delete(&creq); rpma_conn_req_delete(&creq)",
                  {"ibv_destroy_cq EIO", "rdma_destroy_id EIO", "ibv_dereg_mr EIO",
                   "ibv_destroy_comp_channel EIO"},
                  3),
       WithFaults("given requested; FAULT; rpma_conn_req_delete(&sreq); "
                  "rpma_conn_next_event(client, &event)",
                  {"ibv_destroy_cq EIO", "rdma_reject EIO", "rdma_destroy_id EIO",
                   "ibv_dereg_mr EIO", "ibv_destroy_comp_channel EIO"},
                  3)});
}

const ScriptChecks kChecks{&spec::rpma_conn_req_delete::kPage, AllScripts};

}  // namespace conformance::rpma_conn_req_delete
