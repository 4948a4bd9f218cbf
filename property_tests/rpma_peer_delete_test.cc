// The checks of rpma_peer_delete(3), beside its page in spec/.
#include "spec/rpma_peer_delete.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_peer_delete {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Scripts({"given peer; rpma_peer_delete(&peer)",
                        "given peer; rpma_peer_delete(&peer); rpma_peer_delete(&peer)",
                        "given peer; rpma_peer_delete(NULL)",
                        "given region; rpma_peer_delete(&peer); rpma_mr_dereg(&mr)",
                        "given listening; rpma_peer_delete(&peer)"}),
               WithFaults("given peer; FAULT; rpma_peer_delete(&peer); rpma_peer_delete(&peer)",
                          {"ibv_dealloc_pd EBUSY"}, 1)});
}

const ScriptChecks kChecks{&spec::rpma_peer_delete::kPage, AllScripts};

}  // namespace conformance::rpma_peer_delete
