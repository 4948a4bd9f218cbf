// rpma_utils_ibv_context_is_odp_capable(3): whether a device pages on demand. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_utils_ibv_context_is_odp_capable {

using F = FunctionFamily<"rpma_utils_ibv_context_is_odp_capable">;

inline constexpr Rule kValue = F::Must<"value">(
    "DESCRIPTION",
    "*is_odp_capable becomes 1 if the device says that it pages on demand for reads and writes of "
    "a reliable connection, else 0.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS", "When ibv_query_device_ex fails the call returns RPMA_E_PROVIDER.");

inline constexpr auto kRules = These(&kValue, &F::kReturnValue, &F::kAccepted, &F::kNull<"ibv_ctx">,
                                     &F::kNull<"is_odp_capable">, &kProvider);
inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"ibv_ctx">),
                                           WhenNull<1>(&F::kNull<"is_odp_capable">)};
// The fake counts both forms of the query under one name.
inline constexpr FaultClause kFaults[] = {{"ibv_query_device", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_PROVIDER};

// The environment has asked the device itself.
inline void Succeeded(model::Outcome& outcome) {
  outcome.ExpectOut(&kValue, 1, outcome[0].thing->number("is_odp_capable"));
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_utils_ibv_context_is_odp_capable
