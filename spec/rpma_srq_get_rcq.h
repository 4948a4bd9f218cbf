// rpma_srq_get_rcq(3): where the receives of a shared queue complete. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_srq_get_rcq {

using F = FunctionFamily<"rpma_srq_get_rcq">;

inline constexpr Rule kValue = F::Must<"value">(
    "DESCRIPTION",
    "*rcq_ptr becomes the queue's own CQ, the same each time, or NULL if its size was 0.");

inline constexpr auto kRules =
    These(&kValue, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"rcq_ptr">, &F::kNull<"srq">,
          &F::kNull<"rcq_ptr">);
inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"srq">),
                                           WhenNull<1>(&F::kNull<"rcq_ptr">)};

inline void Succeeded(model::Outcome& outcome) {
  model::Thing& srq = *outcome[0].thing;
  const model::Thing* known = srq.thing("rpma_cq");
  if (srq.number("rcq_size") == 0) return outcome.ExpectOut(&kValue, 1, 0);
  if (known != nullptr) return outcome.ExpectOut(&kValue, 1, known->handle);
  model::Thing* rcq = outcome.Made(&kValue, 1, "rpma_cq");
  if (rcq == nullptr) return;
  rcq->things["owner"] = &srq;
  srq.things["rpma_cq"] = rcq;
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .codes = kInval,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"rcq_ptr">,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_srq_get_rcq
