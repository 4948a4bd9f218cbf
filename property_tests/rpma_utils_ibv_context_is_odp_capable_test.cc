// The checks of rpma_utils_ibv_context_is_odp_capable(3), beside its page in spec/.
#include "spec/rpma_utils_ibv_context_is_odp_capable.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_utils_ibv_context_is_odp_capable {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Scripts({"given context; rpma_utils_ibv_context_is_odp_capable(ctx, &capable); "
                "rpma_utils_ibv_context_is_odp_capable(ctx, &capable)"}),
       Expand({"given context",
               "rpma_utils_ibv_context_is_odp_capable",
               {{"ctx", "!", "NULL"}, {"&capable", "!", "NULL"}},
               ""}),
       WithFaults("given context; FAULT; rpma_utils_ibv_context_is_odp_capable(ctx, &capable)",
                  {"ibv_query_device EIO", "ibv_query_device ENOMEM"}, 2)});
}

const ScriptChecks kChecks{&spec::rpma_utils_ibv_context_is_odp_capable::kPage, AllScripts};

}  // namespace conformance::rpma_utils_ibv_context_is_odp_capable
