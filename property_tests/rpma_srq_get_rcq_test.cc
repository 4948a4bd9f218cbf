// The checks of rpma_srq_get_rcq(3), beside its page in spec/.
#include "spec/rpma_srq_get_rcq.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_srq_get_rcq {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Scripts({"given peer; rpma_srq_new(peer, NULL, &srq); rpma_srq_get_rcq(srq, &rcq); "
                "rpma_srq_get_rcq(srq, &rcq)",
                "given peer; rpma_srq_cfg_new(&cfg); rpma_srq_cfg_set_rcq_size(cfg, 0); "
                "rpma_srq_new(peer, cfg, &srq); rpma_srq_get_rcq(srq, &rcq); "
                "rpma_srq_get_rcq(srq, &rcq)",
                "given peer; rpma_srq_new(peer, NULL, &srq); rpma_srq_new(peer, NULL, &other); "
                "rpma_srq_get_rcq(srq, &rcq); rpma_srq_get_rcq(other, &rcq)"}),
       Expand({"given peer; rpma_srq_new(peer, NULL, &srq)",
               "rpma_srq_get_rcq",
               {{"srq", "!", "NULL"}, {"&rcq", "!", "NULL"}},
               ""})});
}

const ScriptChecks kChecks{&spec::rpma_srq_get_rcq::kPage, AllScripts};

}  // namespace conformance::rpma_srq_get_rcq
