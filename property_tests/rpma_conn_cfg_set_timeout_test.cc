// The checks of rpma_conn_cfg_set_timeout(3), beside its page in spec/.
#include "spec/rpma_conn_cfg_set_timeout.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_cfg_set_timeout {

std::vector<Script> AllScripts(std::uint64_t) {
  return ExpandSetter("conn_cfg", "timeout",
                      {"7", "3", "0", "1", "1000", "INT_MAX", "!", "-1", "INT_MIN"});
}

const ScriptChecks kChecks{&spec::rpma_conn_cfg_set_timeout::kPage, AllScripts};

}  // namespace conformance::rpma_conn_cfg_set_timeout
