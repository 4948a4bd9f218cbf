// The checks of rpma_conn_disconnect(3), beside its page in spec/.
#include "spec/rpma_conn_disconnect.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_disconnect {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given connected",
               "rpma_conn_disconnect",
               {{"client", "server", "!", "NULL"}},
               "rpma_conn_next_event(client, &event); rpma_conn_next_event(server, &event)"}),
       Scripts({"given connected; rpma_conn_disconnect(client); rpma_conn_next_event(server, "
                "&event); rpma_conn_disconnect(server); rpma_conn_next_event(client, &event)",
                "given connected; rpma_conn_disconnect(server); rpma_conn_next_event(client, "
                "&event); rpma_conn_disconnect(client); rpma_conn_next_event(server, &event)",
                "given connected; rpma_conn_disconnect(client); rpma_conn_disconnect(server); "
                "rpma_conn_next_event(client, &event); rpma_conn_next_event(server, &event)",
                "given connected; rpma_conn_disconnect(client); rpma_conn_disconnect(client)",
                "given connected; rpma_conn_disconnect(client); rpma_conn_next_event(server, "
                "&event); rpma_conn_disconnect(server); rpma_conn_next_event(client, &event); "
                "rpma_conn_disconnect(client)",
                "given requested; rpma_conn_disconnect(client)",
                "given accepted; rpma_conn_disconnect(server)",
                "given requested; rpma_conn_req_delete(&sreq); rpma_conn_next_event(client, "
                "&event); rpma_conn_disconnect(client)"}),
       WithFaults("given connected; FAULT; rpma_conn_disconnect(client); "
                  "rpma_conn_disconnect(client); rpma_conn_next_event(server, &event)",
                  {"rdma_disconnect EIO"}, 2)});
}

const ScriptChecks kChecks{&spec::rpma_conn_disconnect::kPage, AllScripts};

}  // namespace conformance::rpma_conn_disconnect
