// rpma_conn_delete(3): the end of a connection that is closed. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_delete {

using F = FunctionFamily<"rpma_conn_delete">;

inline constexpr Rule kNulled = F::Must<"nulled">(
    "RETURN VALUE", "*conn_ptr is NULL afterwards, whether the call succeeded or failed.");
inline constexpr Rule kReleases =
    F::Must<"releases">("DESCRIPTION", "A deleted connection leaves nothing behind.");
inline constexpr Rule kUnmap =
    F::Must<"munmap">("ERRORS", "When munmap fails the call returns RPMA_E_INVAL.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS", "When ibv_destroy_cq or rdma_destroy_id fails the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kNotClosed =
    F::Open<"not-closed">("DESCRIPTION", "What a call on a connection gives that is not closed.");

inline constexpr auto kRules =
    These(&kNulled, &F::kReturnValue, &F::kAccepted, &kReleases, &F::kNull<"conn_ptr">, &kUnmap,
          &kProvider, &F::kOtherCallFails, &kNotClosed);

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"conn_ptr">)};
inline constexpr FaultClause kFaults[] = {
    {"munmap", 0, &kUnmap, RPMA_E_INVAL},
    {"ibv_destroy_cq", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_destroy_id", 0, &kProvider, RPMA_E_PROVIDER},
    {"ibv_dereg_mr", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"ibv_destroy_comp_channel", 0, &F::kOtherCallFails, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {{&kNotClosed, [](const Call& call) {
                                        using State = model::End::State;
                                        if (call[0].thing == nullptr) return false;
                                        const State state = call[0].thing->end->state();
                                        return state != State::kClosed && state != State::kLeft &&
                                               state != State::kOver;
                                      }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_PROVIDER};

inline void Succeeded(model::Outcome& outcome) {
  outcome.Ended(&kNulled, 0);
  if (outcome[0].thing == nullptr) return;
  model::End& end = *outcome[0].thing->end;
  if (outcome.code() != 0 && end.peer() != nullptr) end.Lose();
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

}  // namespace spec::rpma_conn_delete
