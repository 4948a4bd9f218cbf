// rpma_conn_req_delete(3): the end of a request that became no connection. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_req_delete {

using F = FunctionFamily<"rpma_conn_req_delete">;

inline constexpr Rule kNulled = F::Must<"nulled">(
    "RETURN VALUE", "*req_ptr is NULL afterwards, whether the call succeeded or failed.");
inline constexpr Rule kRejects =
    F::Must<"rejects">("DESCRIPTION", "An incoming request is rejected, and its client hears it.");
inline constexpr Rule kReleases =
    F::Must<"releases">("DESCRIPTION", "A deleted request leaves nothing behind.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS",
    "When ibv_destroy_cq, on the passive side rdma_reject or on the active side rdma_destroy_id "
    "fails the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kGone = F::Open<"requester-gone">(
    "DESCRIPTION", "What a call on a request gives whose client or endpoint is gone.");

inline constexpr auto kRules =
    These(&kNulled, &kRejects, &F::kReturnValue, &F::kAccepted, &kReleases, &F::kNull<"req_ptr">,
          &kProvider, &F::kOtherCallFails, &kGone);

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"req_ptr">)};
inline constexpr FaultClause kFaults[] = {
    {"ibv_destroy_cq", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_reject", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_destroy_id", 0, &kProvider, RPMA_E_PROVIDER},
    {"ibv_dereg_mr", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"ibv_destroy_comp_channel", 0, &F::kOtherCallFails, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {{&kGone, [](const Call& call) {
                                        return call[0].thing != nullptr &&
                                               call[0].thing->end->state() ==
                                                   model::End::State::kUnclear;
                                      }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_PROVIDER};

inline void Succeeded(model::Outcome& outcome) {
  outcome.Ended(&kNulled, 0);
  if (outcome[0].thing == nullptr) return;
  model::End& end = *outcome[0].thing->end;
  if (outcome.code() != 0)
    end.Fail(&kReleases);
  else if (end.passive())
    end.Reject(&kRejects);
  else
    end.Leave();
}

inline void Failed(model::Outcome& outcome) {
  if (!outcome[0].null()) Succeeded(outcome);
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .open = kOpen,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .releases = &kReleases,
                                .succeeded = Succeeded,
                                .failed = Failed};

}  // namespace spec::rpma_conn_req_delete
