// rpma_conn_get_cq(3): the main completion queue of a connection. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_get_cq {

using F = FunctionFamily<"rpma_conn_get_cq">;

inline constexpr Rule kQueue = F::Must<"queue">(
    "DESCRIPTION", "*cq_ptr becomes the connection's main completion queue, always the same one.");

inline constexpr auto kRules =
    These(&kQueue, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"cq_ptr">, &F::kNull<"conn">,
          &F::kNull<"cq_ptr">);

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"conn">),
                                           WhenNull<1>(&F::kNull<"cq_ptr">)};

inline void Succeeded(model::Outcome& outcome) {
  model::Thing& conn = *outcome[0].thing;
  ExpectCq(outcome, &kQueue, 1, conn, "cq", conn.end->cq);
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .codes = kInval,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"cq_ptr">,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_conn_get_cq
