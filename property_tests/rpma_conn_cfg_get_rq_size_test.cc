// The checks of rpma_conn_cfg_get_rq_size(3), beside its page in spec/.
#include "spec/rpma_conn_cfg_get_rq_size.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_cfg_get_rq_size {

std::vector<Script> AllScripts(std::uint64_t) { return ExpandGetter("conn_cfg", "rq_size", "7"); }

const ScriptChecks kChecks{&spec::rpma_conn_cfg_get_rq_size::kPage, AllScripts};

}  // namespace conformance::rpma_conn_cfg_get_rq_size
