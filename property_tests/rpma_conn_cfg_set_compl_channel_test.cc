// The checks of rpma_conn_cfg_set_compl_channel(3), beside its page in spec/.
#include "spec/rpma_conn_cfg_set_compl_channel.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_conn_cfg_set_compl_channel {

std::vector<Script> AllScripts(std::uint64_t) {
  return ExpandSetter("conn_cfg", "compl_channel", {"true", "false"});
}

const ScriptChecks kChecks{&spec::rpma_conn_cfg_set_compl_channel::kPage, AllScripts};

}  // namespace conformance::rpma_conn_cfg_set_compl_channel
