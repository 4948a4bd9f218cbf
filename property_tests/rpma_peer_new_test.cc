// The checks of rpma_peer_new(3), beside its page in spec/.
#include "spec/rpma_peer_new.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_peer_new {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand(
           {"given context", "rpma_peer_new", {{"ctx", "!", "NULL"}, {"&peer", "!", "NULL"}}, ""}),
       Scripts({"given peer; rpma_peer_new(ctx, &other)",
                "rpma_utils_get_ibv_context(addr, RPMA_UTIL_IBV_CONTEXT_REMOTE, &ctx); "
                "rpma_peer_new(ctx, &peer)"}),
       WithFaults(
           "given context; FAULT; rpma_peer_new(ctx, &peer)",
           {"malloc ENOMEM", "ibv_alloc_pd ENOMEM", "ibv_alloc_pd EPERM", "ibv_query_device EIO"},
           3)});
}

const ScriptChecks kChecks{&spec::rpma_peer_new::kPage, AllScripts};

}  // namespace conformance::rpma_peer_new
