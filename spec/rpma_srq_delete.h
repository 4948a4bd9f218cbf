// rpma_srq_delete(3): the end of a shared receive queue. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_srq_delete {

using F = FunctionFamily<"rpma_srq_delete">;

inline constexpr Rule kNulled = F::Must<"nulled">(
    "RETURN VALUE", "*srq_ptr is NULL afterwards, whether the call succeeded or failed.");
inline constexpr Rule kReleases =
    F::Must<"releases">("DESCRIPTION", "A deleted shared receive queue leaves nothing behind.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS",
    "When ibv_destroy_cq, ibv_destroy_comp_channel or ibv_destroy_srq fails the call returns "
    "RPMA_E_PROVIDER.");

inline constexpr auto kRules =
    These(&kNulled, &F::kReturnValue, &F::kAccepted, &kReleases, &F::kNull<"srq_ptr">, &kProvider);
inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"srq_ptr">)};
inline constexpr FaultClause kFaults[] = {
    {"ibv_destroy_cq", 0, &kProvider, RPMA_E_PROVIDER},
    {"ibv_destroy_comp_channel", 0, &kProvider, RPMA_E_PROVIDER},
    {"ibv_destroy_srq", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_PROVIDER};

inline void Ends(model::Outcome& outcome) {
  if (!outcome[0].null()) outcome.Ended(&kNulled, 0);
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .releases = &kReleases,
                                .succeeded = Ends,
                                .failed = Ends};

}  // namespace spec::rpma_srq_delete
