// The checks of rpma_conn_cfg_get_srq(3), beside its page in spec/.
#include "spec/rpma_conn_cfg_get_srq.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_cfg_get_srq {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Scripts({"rpma_conn_cfg_new(&cfg); rpma_conn_cfg_get_srq(cfg, &got); "
                        "rpma_conn_cfg_get_srq(cfg, &got)",
                        "given peer; rpma_srq_new(peer, NULL, &srq); rpma_conn_cfg_new(&cfg); "
                        "rpma_conn_cfg_set_srq(cfg, srq); rpma_conn_cfg_get_srq(cfg, &got); "
                        "rpma_srq_delete(&srq); rpma_conn_cfg_get_srq(cfg, &other)"}),
               Expand({"rpma_conn_cfg_new(&cfg)",
                       "rpma_conn_cfg_get_srq",
                       {{"cfg", "!", "NULL"}, {"&got", "!", "NULL"}},
                       ""})});
}

const ScriptChecks kChecks{&spec::rpma_conn_cfg_get_srq::kPage, AllScripts};

}  // namespace conformance::rpma_conn_cfg_get_srq
