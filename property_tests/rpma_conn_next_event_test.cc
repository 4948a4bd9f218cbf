// The checks of rpma_conn_next_event(3), beside its page in spec/.
#include "spec/rpma_conn_next_event.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_next_event {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Scripts({"given connected; rpma_conn_get_event_fd(client, &fd); "
                "rpma_conn_disconnect(client); rpma_conn_next_event(server, &event); "
                "rpma_conn_disconnect(server); rpma_conn_next_event(client, &event); nonblock(fd); "
                "rpma_conn_next_event(client, &event)"}),
       Expand({"given accepted",
               "rpma_conn_next_event",
               {{"client", "!", "NULL"}, {"&event", "!", "NULL"}},
               "rpma_conn_next_event(server, &event)"}),
       Scripts(
           {"given connected; rpma_conn_disconnect(client); rpma_conn_next_event(server, &event); "
            "rpma_conn_disconnect(server); rpma_conn_next_event(client, &event)",
            "given connected; rpma_conn_disconnect(server); rpma_conn_next_event(client, &event); "
            "rpma_conn_disconnect(client); rpma_conn_next_event(server, &event)",
            "given accepted; rpma_conn_next_event(client, &event); rpma_conn_disconnect(client); "
            "rpma_conn_next_event(server, &event); rpma_conn_next_event(server, &event)",
            "given connected; rpma_conn_delete(&client); rpma_conn_next_event(server, &event)",
            "given accepted; rpma_conn_next_event(client, &event); rpma_conn_delete(&client); "
            "rpma_conn_next_event(server, &event); rpma_conn_next_event(server, &event)",
            "given requested; rpma_conn_req_delete(&sreq); rpma_conn_next_event(client, &event)",
            "given peer; rpma_conn_req_new(peer, addr, port, NULL, &creq); "
            "rpma_conn_req_connect(&creq, NULL, &client); rpma_conn_next_event(client, &event)",
            "given requested; rpma_conn_get_event_fd(client, &fd); nonblock(fd); "
            "rpma_conn_next_event(client, &event); rpma_conn_req_connect(&sreq, NULL, &server); "
            "rpma_conn_next_event(client, &event); rpma_conn_next_event(client, &event)",
            "given connected; rpma_conn_get_event_fd(client, &fd); rpma_conn_disconnect(client); "
            "rpma_conn_next_event(server, &event); rpma_conn_disconnect(server); "
            "rpma_conn_next_event(client, &event); advance(2000); nonblock(fd); "
            "rpma_conn_next_event(client, &event); rpma_conn_next_event(client, &event)",
            "given connected; device(gone); rpma_conn_next_event(client, &event)",
            "given connected; device(gone); rpma_conn_next_event(server, &event)",
            "given connected; rpma_conn_disconnect(client); device(gone); "
            "rpma_conn_next_event(client, &event)",
            "given listening; network(silent); rpma_conn_req_new(peer, addr, port, NULL, &creq); "
            "rpma_conn_req_connect(&creq, NULL, &client); advance(70000); "
            "rpma_conn_next_event(client, &event)",
            "given listening; network(silent); rpma_conn_req_new(peer, addr, port, NULL, &creq); "
            "rpma_conn_req_connect(&creq, NULL, &client); rpma_conn_get_event_fd(client, &fd); "
            "nonblock(fd); advance(20000); rpma_conn_next_event(client, &event)"}),
       WithFaults("given accepted; FAULT; rpma_conn_next_event(client, &event); "
                  "rpma_conn_next_event(client, &event); rpma_conn_next_event(server, &event)",
                  {"rdma_get_cm_event EIO", "malloc ENOMEM", "rdma_ack_cm_event EIO"}, 2)});
}

const ScriptChecks kChecks{&spec::rpma_conn_next_event::kPage, AllScripts};

}  // namespace conformance::rpma_conn_next_event
