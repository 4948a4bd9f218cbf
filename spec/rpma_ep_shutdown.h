// rpma_ep_shutdown(3): the end of an endpoint, not of its connections. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_ep_shutdown {

using F = FunctionFamily<"rpma_ep_shutdown">;

inline constexpr Rule kNulled = F::Must<"nulled">("DESCRIPTION", "On success *ep_ptr is NULL.");
inline constexpr Rule kReleases =
    F::Must<"releases">("DESCRIPTION", "An endpoint that was shut down leaves nothing behind.");
inline constexpr Rule kKept = F::Must<"kept">(
    "RETURN VALUE", "After an error *ep_ptr is what it was, so that the call can be repeated.");
inline constexpr Rule kProvider =
    F::Must<"provider">("ERRORS", "When rdma_destroy_id fails the call returns RPMA_E_PROVIDER.");

inline constexpr auto kRules = These(&kNulled, &F::kReturnValue, &F::kAccepted, &kKept, &kReleases,
                                     &F::kNull<"ep_ptr">, &kProvider);

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"ep_ptr">)};
inline constexpr FaultClause kFaults[] = {{"rdma_destroy_id", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_PROVIDER};

// What becomes of requests that were read and not answered is open.
inline void Succeeded(model::Outcome& outcome) {
  outcome.Ended(&kNulled, 0);
  if (outcome[0].thing == nullptr) return;
  outcome[0].thing->listener->Close();
  for (const auto& thing : outcome.world().things())
    if (thing->live && thing->type == "rpma_conn_req" &&
        thing->thing("rpma_ep") == outcome[0].thing)
      thing->end->Lose();
}

inline void Failed(model::Outcome& outcome) {
  if (!outcome[0].null()) outcome.Kept(&kKept, 0);
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .releases = &kReleases,
                                .kept = &kKept,
                                .succeeded = Succeeded,
                                .failed = Failed};

}  // namespace spec::rpma_ep_shutdown
