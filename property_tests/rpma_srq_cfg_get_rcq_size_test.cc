// The checks of rpma_srq_cfg_get_rcq_size(3), beside its page in spec/.
#include "spec/rpma_srq_cfg_get_rcq_size.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_srq_cfg_get_rcq_size {

std::vector<Script> AllScripts(std::uint64_t) { return ExpandGetter("srq_cfg", "rcq_size", "7"); }

const ScriptChecks kChecks{&spec::rpma_srq_cfg_get_rcq_size::kPage, AllScripts};

}  // namespace conformance::rpma_srq_cfg_get_rcq_size
