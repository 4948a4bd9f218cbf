// The checks of rpma_conn_cfg_get_timeout(3), beside its page in spec/.
#include "spec/rpma_conn_cfg_get_timeout.h"

#include "property_tests/script/all_checks.h"

namespace conformance {

namespace {

std::vector<Script> AllScripts(std::uint64_t) { return ExpandGetter("conn_cfg", "timeout", "7"); }

}  // namespace

const ScriptChecks kConnCfgGetTimeoutChecks{&spec::rpma_conn_cfg_get_timeout::kPage, AllScripts};

}  // namespace conformance
