// The checks of rpma_conn_cfg_get_sq_size(3), beside its page in spec/.
#include "spec/rpma_conn_cfg_get_sq_size.h"

#include "property_tests/script/all_checks.h"

namespace conformance {

namespace {

std::vector<Script> AllScripts(std::uint64_t) { return ExpandGetter("conn_cfg", "sq_size", "7"); }

}  // namespace

const ScriptChecks kConnCfgGetSqSizeChecks{&spec::rpma_conn_cfg_get_sq_size::kPage, AllScripts};

}  // namespace conformance
