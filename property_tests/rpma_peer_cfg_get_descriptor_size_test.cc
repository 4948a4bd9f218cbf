// The checks of rpma_peer_cfg_get_descriptor_size(3), beside its page in spec/.
#include "spec/rpma_peer_cfg_get_descriptor_size.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_peer_cfg_get_descriptor_size {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Scripts({"rpma_peer_cfg_new(&cfg); rpma_peer_cfg_get_descriptor_size(cfg, &size); "
                        "rpma_peer_cfg_get_descriptor_size(cfg, &size)",
                        "rpma_peer_cfg_new(&cfg); "
                        "rpma_peer_cfg_set_direct_write_to_pmem(cfg, true); "
                        "rpma_peer_cfg_get_descriptor_size(cfg, &size)"}),
               Expand({"rpma_peer_cfg_new(&cfg)",
                       "rpma_peer_cfg_get_descriptor_size",
                       {{"cfg", "!", "NULL"}, {"&size", "!", "NULL"}},
                       ""})});
}

const ScriptChecks kChecks{&spec::rpma_peer_cfg_get_descriptor_size::kPage, AllScripts};

}  // namespace conformance::rpma_peer_cfg_get_descriptor_size
