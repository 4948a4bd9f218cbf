// rpma_conn_apply_remote_peer_cfg(3): what the peer at the other end can do. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_apply_remote_peer_cfg {

using F = FunctionFamily<"rpma_conn_apply_remote_peer_cfg">;

inline constexpr Rule kApplied = F::Must<"applied">(
    "DESCRIPTION",
    "Whether the connection can flush to persistence follows the configuration that was applied "
    "last.");

inline constexpr auto kRules =
    These(&kApplied, &F::kReturnValue, &F::kAccepted, &F::kNull<"conn">, &F::kNull<"pcfg">);

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"conn">),
                                           WhenNull<1>(&F::kNull<"pcfg">)};

// Shows when a flush is asked for: model/posted.h.
inline void Succeeded(model::Outcome& outcome) {
  model::Thing& conn = *outcome[0].thing;
  conn.numbers["direct_write_to_pmem"] = outcome[1].thing->number("direct_write_to_pmem");
  conn.setters["direct_write_to_pmem"] = &kApplied;
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .codes = kInval,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_conn_apply_remote_peer_cfg
