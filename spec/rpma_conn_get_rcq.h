// rpma_conn_get_rcq(3): the receive completion queue of a connection. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_get_rcq {

using F = FunctionFamily<"rpma_conn_get_rcq">;

inline constexpr Rule kQueue = F::Must<"queue">(
    "DESCRIPTION",
    "*rcq_ptr becomes the connection's receive completion queue, always the same one, or NULL if "
    "its configuration asked for none.");

inline constexpr auto kRules =
    These(&kQueue, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"rcq_ptr">, &F::kNull<"conn">,
          &F::kNull<"rcq_ptr">);

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"conn">),
                                           WhenNull<1>(&F::kNull<"rcq_ptr">)};

inline void Succeeded(model::Outcome& outcome) {
  model::Thing& conn = *outcome[0].thing;
  if (conn.end->rcq == nullptr) return outcome.ExpectOut(&kQueue, 1, 0);
  ExpectCq(outcome, &kQueue, 1, conn, "rcq", conn.end->rcq);
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .codes = kInval,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"rcq_ptr">,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_conn_get_rcq
