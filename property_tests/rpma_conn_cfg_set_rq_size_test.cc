// The checks of rpma_conn_cfg_set_rq_size(3), beside its page in spec/.
#include "spec/rpma_conn_cfg_set_rq_size.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_cfg_set_rq_size {

std::vector<Script> AllScripts(std::uint64_t) {
  return ExpandSetter("conn_cfg", "rq_size",
                      {"7", "3", "0", "1", "10", "65535", "0x7fffffff", "UINT32_MAX"});
}

const ScriptChecks kChecks{&spec::rpma_conn_cfg_set_rq_size::kPage, AllScripts};

}  // namespace conformance::rpma_conn_cfg_set_rq_size
