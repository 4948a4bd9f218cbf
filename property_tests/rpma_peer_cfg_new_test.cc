// The checks of rpma_peer_cfg_new(3), beside its page in spec/.
#include "spec/rpma_peer_cfg_new.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_peer_cfg_new {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join({Expand({"", "rpma_peer_cfg_new", {{"&cfg", "!", "NULL"}}, ""}),
               Scripts({"rpma_peer_cfg_new(&cfg); rpma_peer_cfg_new(&other)"}),
               WithFaults("FAULT; rpma_peer_cfg_new(&cfg)", {"malloc ENOMEM"}, 2)});
}

const ScriptChecks kChecks{&spec::rpma_peer_cfg_new::kPage, AllScripts};

}  // namespace conformance::rpma_peer_cfg_new
