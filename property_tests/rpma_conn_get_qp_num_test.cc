// The checks of rpma_conn_get_qp_num(3), beside its page in spec/.
#include "spec/rpma_conn_get_qp_num.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_get_qp_num {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Expand({"given connected",
                       "rpma_conn_get_qp_num",
                       {{"client", "server", "!", "NULL"}, {"&number", "!", "NULL"}},
                       ""}),
               Scripts({"given connected; rpma_conn_get_qp_num(client, &a); "
                        "rpma_conn_get_qp_num(server, &b); rpma_conn_get_qp_num(client, &a); "
                        "rpma_conn_disconnect(client); rpma_conn_get_qp_num(client, &c)",
                        "given request; rpma_conn_req_connect(&creq, NULL, &client); "
                        "rpma_conn_get_qp_num(client, &a)"})});
}

const ScriptChecks kChecks{&spec::rpma_conn_get_qp_num::kPage, AllScripts};

}  // namespace conformance::rpma_conn_get_qp_num
