// The checks of rpma_conn_cfg_get_rcq_size(3), beside its page in spec/.
#include "spec/rpma_conn_cfg_get_rcq_size.h"

#include "property_tests/script/all_checks.h"

namespace conformance {

namespace {

std::vector<Script> AllScripts(std::uint64_t) { return ExpandGetter("conn_cfg", "rcq_size", "7"); }

}  // namespace

const ScriptChecks kConnCfgGetRcqSizeChecks{&spec::rpma_conn_cfg_get_rcq_size::kPage, AllScripts};

}  // namespace conformance
