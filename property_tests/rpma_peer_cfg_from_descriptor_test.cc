// The checks of rpma_peer_cfg_from_descriptor(3), beside its page in spec/.
#include "spec/rpma_peer_cfg_from_descriptor.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_peer_cfg_from_descriptor {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Expand({"",
                       "rpma_peer_cfg_from_descriptor",
                       {{"bytes:0001", "bytes:0100", "bytes:0200", "bytes:ff00", "!", "NULL"},
                        {"1", "0", "2"},
                        {"&cfg", "!", "NULL"}},
                       ""}),
               Scripts({"rpma_peer_cfg_from_descriptor(bytes:00, 1, &cfg); "
                        "rpma_peer_cfg_get_direct_write_to_pmem(cfg, &direct); "
                        "rpma_peer_cfg_from_descriptor(bytes:01, 1, &other); "
                        "rpma_peer_cfg_get_direct_write_to_pmem(other, &direct); "
                        "rpma_peer_cfg_get_direct_write_to_pmem(cfg, &direct)",
                        "rpma_peer_cfg_new(&cfg); "
                        "rpma_peer_cfg_set_direct_write_to_pmem(cfg, true); "
                        "rpma_peer_cfg_get_descriptor(cfg, &desc); "
                        "rpma_peer_cfg_from_descriptor(&desc, 1, &other); "
                        "rpma_peer_cfg_get_direct_write_to_pmem(other, &direct)"}),
               WithFaults("FAULT; rpma_peer_cfg_from_descriptor(bytes:01, 1, &cfg)",
                          {"malloc ENOMEM"}, 2)});
}

const ScriptChecks kChecks{&spec::rpma_peer_cfg_from_descriptor::kPage, AllScripts};

}  // namespace conformance::rpma_peer_cfg_from_descriptor
