// The checks of rpma_conn_cfg_set_sq_size(3), beside its page in spec/.
#include "spec/rpma_conn_cfg_set_sq_size.h"

#include "property_tests/script/all_checks.h"

namespace conformance {

namespace {

std::vector<Script> AllScripts(std::uint64_t) {
  return Expand({"rpma_conn_cfg_new(&cfg)",
                 "rpma_conn_cfg_set_sq_size",
                 {{"cfg", "!", "NULL"}, {"7", "0", "1", "10", "65535", "0x7fffffff", "UINT32_MAX"}},
                 "rpma_conn_cfg_get_sq_size(cfg, &size); rpma_conn_cfg_set_sq_size(cfg, 3); "
                 "rpma_conn_cfg_get_sq_size(cfg, &size)"});
}

}  // namespace

const ScriptChecks kConnCfgSetSqSizeChecks{&spec::rpma_conn_cfg_set_sq_size::kPage, AllScripts};

}  // namespace conformance
