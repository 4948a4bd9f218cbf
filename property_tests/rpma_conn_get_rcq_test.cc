// The checks of rpma_conn_get_rcq(3), beside its page in spec/.
#include "spec/rpma_conn_get_rcq.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_get_rcq {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given shared",
               "rpma_conn_get_rcq",
               {{"client", "server", "!", "NULL"}, {"&rcq", "!", "NULL"}},
               "rpma_conn_get_rcq(client, &again)"}),
       Scripts({"given listening; rpma_conn_cfg_new(&cfg); rpma_srq_new(peer, NULL, &srq); "
                "rpma_conn_cfg_set_srq(cfg, srq); rpma_conn_cfg_set_rcq_size(cfg, 4); "
                "rpma_conn_req_new(peer, addr, port, cfg, &creq); rpma_conn_req_connect(&creq, "
                "NULL, &client); rpma_conn_get_rcq(client, &rcq); rpma_conn_get_cq(client, &cq)",
                "given connected; rpma_conn_get_cq(client, &cq); rpma_conn_get_rcq(client, "
                "&rcq); rpma_conn_get_cq(server, &cq); rpma_conn_get_rcq(server, &rcq)",
                "given separate; rpma_conn_get_rcq(client, &rcq); rpma_conn_get_cq(client, "
                "&cq); rpma_conn_get_cq(server, &scq); rpma_conn_get_rcq(server, &srcq); "
                "rpma_conn_get_cq(client, &cq); rpma_conn_get_rcq(client, &rcq); "
                "rpma_conn_disconnect(client); rpma_conn_get_cq(client, &cq); "
                "rpma_conn_get_rcq(client, &rcq)"})});
}

const ScriptChecks kChecks{&spec::rpma_conn_get_rcq::kPage, AllScripts};

}  // namespace conformance::rpma_conn_get_rcq
