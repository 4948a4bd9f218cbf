// The checks of rpma_peer_cfg_get_descriptor(3), beside its page in spec/.
#include "spec/rpma_peer_cfg_get_descriptor.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_peer_cfg_get_descriptor {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Scripts({"rpma_peer_cfg_new(&cfg); rpma_peer_cfg_get_descriptor(cfg, &desc); "
                        "rpma_peer_cfg_set_direct_write_to_pmem(cfg, true); "
                        "rpma_peer_cfg_get_descriptor(cfg, &desc); "
                        "rpma_peer_cfg_set_direct_write_to_pmem(cfg, false); "
                        "rpma_peer_cfg_get_descriptor(cfg, &desc)"}),
               Expand({"rpma_peer_cfg_new(&cfg)",
                       "rpma_peer_cfg_get_descriptor",
                       {{"cfg", "!", "NULL"}, {"&desc", "!", "NULL"}},
                       ""})});
}

const ScriptChecks kChecks{&spec::rpma_peer_cfg_get_descriptor::kPage, AllScripts};

}  // namespace conformance::rpma_peer_cfg_get_descriptor
