// The checks of rpma_utils_get_ibv_context(3), beside its page in spec/.
#include "spec/rpma_utils_get_ibv_context.h"

#include "property_tests/script/all_checks.h"

namespace conformance::rpma_utils_get_ibv_context {

std::vector<Script> AllScripts(std::uint64_t) {
  return Join(
      {Expand({"",
               "rpma_utils_get_ibv_context",
               {{"addr", "!", "NULL"},
                {"RPMA_UTIL_IBV_CONTEXT_LOCAL", "RPMA_UTIL_IBV_CONTEXT_REMOTE", "!", "2", "-1"},
                {"&ctx", "!", "NULL"}},
               ""}),
       Scripts({"rpma_utils_get_ibv_context(addr, RPMA_UTIL_IBV_CONTEXT_LOCAL, &ctx); "
                "rpma_utils_get_ibv_context(addr, RPMA_UTIL_IBV_CONTEXT_LOCAL, &again)",
                "rpma_utils_get_ibv_context(\"0.0.0.0\", RPMA_UTIL_IBV_CONTEXT_LOCAL, &ctx)",
                "rpma_utils_get_ibv_context(\"::\", RPMA_UTIL_IBV_CONTEXT_LOCAL, &ctx)",
                "rpma_utils_get_ibv_context(\"203.0.113.7\", RPMA_UTIL_IBV_CONTEXT_LOCAL, "
                "&ctx)"}),
       WithFaults("FAULT; rpma_utils_get_ibv_context(addr, RPMA_UTIL_IBV_CONTEXT_LOCAL, &ctx)",
                  {"malloc ENOMEM", "rdma_getaddrinfo EINVAL", "rdma_create_id ENODEV",
                   "rdma_bind_addr ENODEV", "rdma_destroy_id EIO"},
                  2),
       WithFaults("FAULT; rpma_utils_get_ibv_context(addr, RPMA_UTIL_IBV_CONTEXT_REMOTE, &ctx)",
                  {"malloc ENOMEM", "rdma_resolve_addr ENETUNREACH"}, 2)});
}

const ScriptChecks kChecks{&spec::rpma_utils_get_ibv_context::kPage, AllScripts};

}  // namespace conformance::rpma_utils_get_ibv_context
