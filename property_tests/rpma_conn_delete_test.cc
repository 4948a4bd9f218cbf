// The checks of rpma_conn_delete(3), beside its page in spec/.
#include "spec/rpma_conn_delete.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_delete {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given connected; rpma_conn_disconnect(client); rpma_conn_next_event(server, "
               "&event); rpma_conn_disconnect(server); rpma_conn_next_event(client, &event)",
               "rpma_conn_delete",
               {{"&client", "&server", "!", "NULL"}},
               "rpma_conn_delete(&client)"}),
       Scripts(
           {"given requested; rpma_conn_req_delete(&sreq); rpma_conn_next_event(client, "
            "&event); rpma_conn_delete(&client)",
            "given connected; rpma_conn_delete(&client); rpma_conn_next_event(server, &event); "
            "rpma_conn_disconnect(server); rpma_conn_delete(&server)",
            "given request; rpma_conn_req_connect(&creq, NULL, &client); rpma_conn_delete(&client)",
            "given accepted; rpma_conn_delete(&server)",
            "given accepted; rpma_conn_delete(&client)",
            "given connected; rpma_conn_disconnect(client); rpma_conn_delete(&client); "
            "rpma_conn_next_event(server, &event); rpma_conn_disconnect(server)"}),
       WithFaults("given connected; rpma_conn_disconnect(client); rpma_conn_next_event(server, "
                  "&event); rpma_conn_disconnect(server); rpma_conn_next_event(client, &event); "
                  "FAULT; rpma_conn_delete(&client); rpma_conn_delete(&client)",
                  {"munmap EINVAL", "ibv_destroy_cq EIO", "rdma_destroy_id EIO", "ibv_dereg_mr EIO",
                   "ibv_destroy_comp_channel EIO"},
                  3),
       WithFaults("given shared; rpma_conn_disconnect(client); rpma_conn_next_event(server, "
                  "&event); rpma_conn_disconnect(server); rpma_conn_next_event(client, &event); "
                  "FAULT; rpma_conn_delete(&server)",
                  {"munmap EINVAL", "ibv_destroy_cq EIO", "rdma_destroy_id EIO", "ibv_dereg_mr EIO",
                   "ibv_destroy_comp_channel EIO"},
                  3)});
}

const ScriptChecks kChecks{&spec::rpma_conn_delete::kPage, AllScripts};

}  // namespace conformance::rpma_conn_delete
