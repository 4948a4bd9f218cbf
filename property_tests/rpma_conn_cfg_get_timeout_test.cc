// The checks of rpma_conn_cfg_get_timeout(3), beside its page in spec/.
#include "spec/rpma_conn_cfg_get_timeout.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_cfg_get_timeout {

std::vector<Script> AllScripts(std::uint64_t) { return ExpandGetter("conn_cfg", "timeout", "7"); }

const ScriptChecks kChecks{&spec::rpma_conn_cfg_get_timeout::kPage, AllScripts};

}  // namespace conformance::rpma_conn_cfg_get_timeout
