// The checks of rpma_conn_req_get_private_data(3), beside its page in spec/.
#include "spec/rpma_conn_req_get_private_data.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_req_get_private_data {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given request; rpma_conn_req_connect(&creq, data:20, &client); "
               "rpma_ep_next_conn_req(ep, NULL, &sreq)",
               "rpma_conn_req_get_private_data",
               {{"sreq", "!", "NULL"}, {"&pdata", "!", "NULL"}},
               ""}),
       Scripts({"given requested; rpma_conn_req_get_private_data(sreq, &pdata)",
                "given request; rpma_conn_req_get_private_data(creq, &pdata)",
                "given request; rpma_conn_req_connect(&creq, data:1, &client); "
                "rpma_ep_next_conn_req(ep, NULL, &sreq); rpma_conn_req_get_private_data(sreq, "
                "&pdata); rpma_conn_req_get_private_data(sreq, &pdata)",
                "given request; rpma_conn_req_connect(&creq, data:55, &client); "
                "rpma_ep_next_conn_req(ep, NULL, &sreq); rpma_conn_req_get_private_data(sreq, "
                "&pdata); rpma_conn_req_get_private_data(sreq, &pdata)",
                "given request; rpma_conn_req_connect(&creq, data:56, &client); "
                "rpma_ep_next_conn_req(ep, NULL, &sreq); rpma_conn_req_get_private_data(sreq, "
                "&pdata); rpma_conn_req_get_private_data(sreq, &pdata)"})});
}

const ScriptChecks kChecks{&spec::rpma_conn_req_get_private_data::kPage, AllScripts};

}  // namespace conformance::rpma_conn_req_get_private_data
