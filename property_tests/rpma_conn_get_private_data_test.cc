// The checks of rpma_conn_get_private_data(3), beside its page in spec/.
#include "spec/rpma_conn_get_private_data.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_get_private_data {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand(
           {"given request; rpma_conn_req_connect(&creq, data:20, &client); "
            "rpma_ep_next_conn_req(ep, NULL, &sreq); rpma_conn_req_connect(&sreq, data:30, "
            "&server); rpma_conn_next_event(client, &event); rpma_conn_next_event(server, &event)",
            "rpma_conn_get_private_data",
            {{"client", "server", "!", "NULL"}, {"&pdata", "!", "NULL"}},
            ""}),
       Scripts(
           {"given connected; rpma_conn_get_private_data(client, &pdata); "
            "rpma_conn_get_private_data(server, &pdata)",
            "given requested; rpma_conn_get_private_data(client, &pdata); "
            "rpma_conn_req_delete(&sreq); rpma_conn_next_event(client, &event); "
            "rpma_conn_get_private_data(client, &pdata)",
            "given requested; rpma_conn_req_connect(&sreq, data:9, &server); "
            "rpma_conn_get_private_data(client, &pdata)",
            "given request; rpma_conn_req_connect(&creq, data:1, &client); "
            "rpma_ep_next_conn_req(ep, NULL, &sreq); rpma_conn_req_connect(&sreq, data:1, "
            "&server); rpma_conn_get_private_data(server, &pdata); rpma_conn_next_event(client, "
            "&event); rpma_conn_get_private_data(client, &pdata); rpma_conn_next_event(server, "
            "&event); rpma_conn_get_private_data(server, &pdata); rpma_conn_disconnect(client); "
            "rpma_conn_next_event(server, &event); rpma_conn_disconnect(server); "
            "rpma_conn_next_event(client, &event); rpma_conn_get_private_data(client, &pdata); "
            "rpma_conn_get_private_data(server, &pdata)",
            "given request; rpma_conn_req_connect(&creq, data:56, &client); "
            "rpma_ep_next_conn_req(ep, NULL, &sreq); rpma_conn_req_connect(&sreq, data:196, "
            "&server); rpma_conn_get_private_data(server, &pdata); rpma_conn_next_event(client, "
            "&event); rpma_conn_get_private_data(client, &pdata); rpma_conn_next_event(server, "
            "&event); rpma_conn_get_private_data(server, &pdata); rpma_conn_disconnect(client); "
            "rpma_conn_next_event(server, &event); rpma_conn_disconnect(server); "
            "rpma_conn_next_event(client, &event); rpma_conn_get_private_data(client, &pdata); "
            "rpma_conn_get_private_data(server, &pdata)",
            "given request; rpma_conn_req_connect(&creq, data:20, &client); "
            "rpma_ep_next_conn_req(ep, NULL, &sreq); rpma_conn_req_connect(&sreq, data:57, "
            "&server); rpma_conn_get_private_data(server, &pdata); rpma_conn_next_event(client, "
            "&event); rpma_conn_get_private_data(client, &pdata); rpma_conn_next_event(server, "
            "&event); rpma_conn_get_private_data(server, &pdata); rpma_conn_disconnect(client); "
            "rpma_conn_next_event(server, &event); rpma_conn_disconnect(server); "
            "rpma_conn_next_event(client, &event); rpma_conn_get_private_data(client, &pdata); "
            "rpma_conn_get_private_data(server, &pdata)"}),
       WithFaults(
           "given requested; rpma_conn_req_connect(&sreq, data:30, &server); "
           "rpma_conn_next_event(client, &event); rpma_conn_next_event(server, &event); "
           "rpma_conn_get_private_data(client, &pdata); rpma_conn_disconnect(server); FAULT; "
           "rpma_conn_next_event(client, &event); rpma_conn_get_private_data(client, &pdata)",
           {"rdma_ack_cm_event EIO"}, 1)});
}

const ScriptChecks kChecks{&spec::rpma_conn_get_private_data::kPage, AllScripts};

}  // namespace conformance::rpma_conn_get_private_data
