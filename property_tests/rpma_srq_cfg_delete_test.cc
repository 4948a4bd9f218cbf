// The checks of rpma_srq_cfg_delete(3), beside its page in spec/.
#include "spec/rpma_srq_cfg_delete.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_srq_cfg_delete {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"rpma_srq_cfg_new(&cfg)", "rpma_srq_cfg_delete", {{"&cfg", "!", "NULL"}}, ""}),
       Scripts({"rpma_srq_cfg_new(&cfg); rpma_srq_cfg_delete(&cfg); rpma_srq_cfg_delete(&cfg)"})});
}

const ScriptChecks kChecks{&spec::rpma_srq_cfg_delete::kPage, AllScripts};

}  // namespace conformance::rpma_srq_cfg_delete
