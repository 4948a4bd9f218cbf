// The checks of rpma_ep_shutdown(3), beside its page in spec/.
#include "spec/rpma_ep_shutdown.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_ep_shutdown {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given listening",
               "rpma_ep_shutdown",
               {{"&ep", "!", "NULL"}},
               "rpma_ep_shutdown(&ep)"}),
       Scripts(
           {"given connected; rpma_ep_shutdown(&ep); rpma_conn_disconnect(client); "
            "rpma_conn_next_event(server, &event); rpma_conn_disconnect(server); "
            "rpma_conn_next_event(client, &event)",
            "given requested; rpma_ep_shutdown(&ep); rpma_conn_req_connect(&sreq, NULL, &server); "
            "rpma_conn_next_event(client, &event); rpma_conn_next_event(server, &event)",
            "given request; rpma_conn_req_connect(&creq, NULL, &client); rpma_ep_shutdown(&ep); "
            "rpma_conn_next_event(client, &event)",
            "given listening; rpma_ep_shutdown(&ep); rpma_conn_req_new(peer, addr, port, NULL, "
            "&creq); rpma_conn_req_connect(&creq, NULL, &client); rpma_conn_next_event(client, "
            "&event)"}),
       WithFaults("given listening; FAULT; rpma_ep_shutdown(&ep)", {"rdma_destroy_id EIO"}, 2)});
}

const ScriptChecks kChecks{&spec::rpma_ep_shutdown::kPage, AllScripts};

}  // namespace conformance::rpma_ep_shutdown
