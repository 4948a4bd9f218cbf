// rpma_peer_new(3): a peer on a device. Pinned to librpma 1.3.0.
#pragma once

#include <cerrno>

#include "spec/call_families.h"

namespace spec::rpma_peer_new {

using F = FunctionFamily<"rpma_peer_new">;

inline constexpr Rule kMade = F::Must<"made">("DESCRIPTION", "On success *peer_ptr is a new peer.");
inline constexpr Rule kReleases =
    F::Must<"releases">("RETURN VALUE", "A call that fails leaves no verbs object behind.");
inline constexpr Rule kPdNoMemory = F::Must<"pd-no-memory">(
    "ERRORS", "When ibv_alloc_pd fails with ENOMEM the call returns RPMA_E_NOMEM.");
inline constexpr Rule kPdProvider = F::Must<"pd-provider">(
    "ERRORS", "When ibv_alloc_pd fails with another errno the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kQueryFails = F::Should<"query-fails">(
    "ERRORS", model::Sight::kRefusedProvider,
    "A call that fails because the device cannot be queried returns RPMA_E_PROVIDER.");

inline constexpr auto kRules =
    These(&kMade, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"peer_ptr">, &kReleases,
          &F::kNull<"ibv_ctx">, &F::kNull<"peer_ptr">, &F::kNoMemory, &kPdNoMemory, &kPdProvider,
          &kQueryFails);

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"ibv_ctx">),
                                           WhenNull<1>(&F::kNull<"peer_ptr">)};
inline constexpr FaultClause kFaults[] = {{"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM},
                                          {"ibv_alloc_pd", ENOMEM, &kPdNoMemory, RPMA_E_NOMEM},
                                          {"ibv_alloc_pd", 0, &kPdProvider, RPMA_E_PROVIDER},
                                          {"ibv_query_device", 0, &kQueryFails, RPMA_E_PROVIDER}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOMEM, RPMA_E_PROVIDER, RPMA_E_UNKNOWN};

inline void Succeeded(model::Outcome& outcome) {
  if (model::Thing* peer = outcome.Made(&kMade, 1, "rpma_peer"))
    peer->things["ibv_context"] = outcome[0].thing;
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"peer_ptr">,
                                .releases = &kReleases,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_peer_new
