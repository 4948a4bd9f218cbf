// The checks of rpma_srq_delete(3), beside its page in spec/.
#include "spec/rpma_srq_delete.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_srq_delete {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"given peer; rpma_srq_new(peer, NULL, &srq)",
               "rpma_srq_delete",
               {{"&srq", "!", "NULL"}},
               ""}),
       Scripts({"given peer; rpma_srq_new(peer, NULL, &srq); rpma_srq_delete(&srq); "
                "rpma_srq_delete(&srq)",
                "given peer; rpma_srq_cfg_new(&cfg); rpma_srq_cfg_set_rcq_size(cfg, 0); "
                "rpma_srq_new(peer, cfg, &srq); rpma_srq_delete(&srq)",
                "given peer; rpma_srq_new(peer, NULL, &srq); rpma_srq_new(peer, NULL, &other); "
                "rpma_srq_delete(&srq); rpma_srq_get_rcq(other, &rcq)"}),
       WithFaults(
           "given peer; rpma_srq_new(peer, NULL, &srq); FAULT; rpma_srq_delete(&srq)",
           {"ibv_destroy_cq EBUSY", "ibv_destroy_comp_channel EBUSY", "ibv_destroy_srq EBUSY"},
           2)});
}

const ScriptChecks kChecks{&spec::rpma_srq_delete::kPage, AllScripts};

}  // namespace conformance::rpma_srq_delete
