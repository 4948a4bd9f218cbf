// The checks of rpma_peer_cfg_get_direct_write_to_pmem(3), beside its page in spec/.
#include "spec/rpma_peer_cfg_get_direct_write_to_pmem.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_peer_cfg_get_direct_write_to_pmem {

std::vector<Script> AllScripts(std::uint64_t) {
  return ExpandGetter("peer_cfg", "direct_write_to_pmem", "true");
}

const ScriptChecks kChecks{&spec::rpma_peer_cfg_get_direct_write_to_pmem::kPage, AllScripts};

}  // namespace conformance::rpma_peer_cfg_get_direct_write_to_pmem
