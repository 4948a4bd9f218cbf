// rpma_mr_dereg(3): the end of a memory region. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_mr_dereg {

using F = FunctionFamily<"rpma_mr_dereg">;

inline constexpr Rule kNulled = F::Must<"nulled">("DESCRIPTION", "On success *mr_ptr is NULL.");
inline constexpr Rule kReleases =
    F::Must<"releases">("DESCRIPTION", "A deregistered region leaves no registration behind.");
inline constexpr Rule kKept = F::Must<"kept">(
    "RETURN VALUE", "After an error *mr_ptr is what it was, so that the call can be repeated.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS", "When the memory cannot be deregistered the call returns RPMA_E_PROVIDER.");

inline constexpr auto kRules = These(&kNulled, &F::kReturnValue, &F::kAccepted, &kKept, &kReleases,
                                     &F::kNull<"mr_ptr">, &kProvider);
inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"mr_ptr">)};
inline constexpr FaultClause kFaults[] = {{"ibv_dereg_mr", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_PROVIDER};

inline void Failed(model::Outcome& outcome) {
  if (!outcome[0].null()) outcome.Kept(&kKept, 0);
}

inline constexpr CallPage kPage{
    .function = F::kName,
    .rules = kRules,
    .errors = kErrors,
    .faults = kFaults,
    .codes = kCodes,
    .return_value = &F::kReturnValue,
    .accepted = &F::kAccepted,
    .releases = &kReleases,
    .kept = &kKept,
    .succeeded = [](model::Outcome& outcome) { outcome.Ended(&kNulled, 0); },
    .failed = Failed};

}  // namespace spec::rpma_mr_dereg
