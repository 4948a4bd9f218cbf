// rpma_mr_get_descriptor(3): the bytes that let another peer reach a memory region. Pinned to
// librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_mr_get_descriptor {

using F = FunctionFamily<"rpma_mr_get_descriptor">;

inline constexpr Rule kBounded = F::Must<"bounded">(
    "DESCRIPTION", "The call writes no byte beyond the size that the descriptor has.");
inline constexpr Rule kLayout = F::Must<"layout">(
    "DESCRIPTION",
    "The descriptor is what any librpma reads: address in bytes 0 to 7, size in 8 to 15, usage in "
    "20, little-endian.");

inline constexpr auto kRules =
    These(&kBounded, &kLayout, &F::kReturnValue, &F::kAccepted, &F::kNull<"mr">, &F::kNull<"desc">);
inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"mr">),
                                           WhenNull<1>(&F::kNull<"desc">)};

// The key, in bytes 16 to 19, proves itself in every operation on the region.
inline void Succeeded(model::Outcome& outcome) {
  const model::Thing& mr = *outcome[0].thing;
  outcome.ExpectBounded(&kBounded, 1, mr.number("desc_size"));
  outcome.ExpectBytes(&kLayout, 1, /*offset=*/0, /*size=*/8, mr.number("ptr"));
  outcome.ExpectBytes(&kLayout, 1, /*offset=*/8, /*size=*/8, mr.number("size"));
  outcome.ExpectBytes(&kLayout, 1, /*offset=*/20, /*size=*/1, mr.number("usage"));
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .codes = kInval,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_mr_get_descriptor
