// rpma_utils_get_ibv_context(3): the device behind an address. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_utils_get_ibv_context {

using F = FunctionFamily<"rpma_utils_get_ibv_context">;

inline constexpr Rule kContext =
    F::Must<"context">("DESCRIPTION", "On success *ibv_ctx_ptr is the context of a device.");
inline constexpr Rule kReleases =
    F::Must<"releases">("RETURN VALUE", "The call leaves no RDMA CM object behind.");
inline constexpr Rule kTypeUnknown = F::Must<"type-unknown">(
    "ERRORS", "A call whose type is neither local nor remote is refused with RPMA_E_INVAL.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS",
    "When rdma_getaddrinfo, rdma_create_id, rdma_bind_addr or rdma_resolve_addr fails the call "
    "returns RPMA_E_PROVIDER.");
inline constexpr Rule kWildcard =
    F::Should<"wildcard">("DESCRIPTION", model::Sight::kRefusedProvider,
                          "A wildcard address, which belongs to no device, gives RPMA_E_PROVIDER.");

inline constexpr auto kRules =
    These(&kContext, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"ibv_ctx_ptr">, &kReleases,
          &F::kNull<"addr">, &kTypeUnknown, &F::kNull<"ibv_ctx_ptr">, &F::kNoMemory, &kProvider,
          &kWildcard);

// An address for documentation, which no machine has.
inline constexpr std::string_view kUnowned = "203.0.113.7";

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"addr">),
                                           {&kTypeUnknown,
                                            [](const Call& call) {
                                              return call[1].word != RPMA_UTIL_IBV_CONTEXT_LOCAL &&
                                                     call[1].word != RPMA_UTIL_IBV_CONTEXT_REMOTE;
                                            },
                                            RPMA_E_INVAL},
                                           WhenNull<2>(&F::kNull<"ibv_ctx_ptr">),
                                           {&kProvider,
                                            [](const Call& call) {
                                              return call[0].text == kUnowned &&
                                                     call[1].word == RPMA_UTIL_IBV_CONTEXT_LOCAL;
                                            },
                                            RPMA_E_PROVIDER}};
inline constexpr FaultClause kFaults[] = {{"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM},
                                          {"rdma_getaddrinfo", 0, &kProvider, RPMA_E_PROVIDER},
                                          {"rdma_create_id", 0, &kProvider, RPMA_E_PROVIDER},
                                          {"rdma_bind_addr", 0, &kProvider, RPMA_E_PROVIDER},
                                          {"rdma_resolve_addr", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {{&kWildcard, [](const Call& call) {
                                        return call[0].text == "0.0.0.0" || call[0].text == "::";
                                      }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOMEM, RPMA_E_PROVIDER};

inline void Succeeded(model::Outcome& outcome) {
  const std::uint64_t context = outcome[2].out();
  if (kOpen[0].applies(outcome.call())) return;
  outcome.Expect(&kContext, context != 0 && outcome[2].written(), "*ibv_ctx_ptr is a context",
                 context == 0 ? "it is NULL" : "it has not changed");
  if (!outcome.broke() && outcome.world().Find(context) == nullptr)
    outcome.world().Make("ibv_context", context);
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .open = kOpen,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"ibv_ctx_ptr">,
                                .releases = &kReleases,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_utils_get_ibv_context
