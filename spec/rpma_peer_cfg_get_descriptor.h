// rpma_peer_cfg_get_descriptor(3): the bytes that tell another peer what a configuration says.
// Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_peer_cfg_get_descriptor {

using F = FunctionFamily<"rpma_peer_cfg_get_descriptor">;

inline constexpr Rule kBounded = F::Must<"bounded">(
    "DESCRIPTION", "The call writes no byte beyond the size that the descriptor has.");
inline constexpr Rule kLayout = F::Must<"layout">(
    "DESCRIPTION", "The descriptor is what any librpma reads: 1 after true was declared, else 0.");

inline constexpr auto kRules = These(&kBounded, &kLayout, &F::kReturnValue, &F::kAccepted,
                                     &F::kNull<"pcfg">, &F::kNull<"desc">);
inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"pcfg">),
                                           WhenNull<1>(&F::kNull<"desc">)};

inline void Succeeded(model::Outcome& outcome) {
  outcome.ExpectBounded(&kBounded, 1, outcome[0].thing->number("desc_size"));
  outcome.ExpectBytes(&kLayout, 1, /*offset=*/0, /*size=*/1,
                      outcome[0].thing->number("direct_write_to_pmem"));
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .codes = kInval,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_peer_cfg_get_descriptor
