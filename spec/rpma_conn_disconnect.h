// rpma_conn_disconnect(3): tears a connection down. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_disconnect {

using F = FunctionFamily<"rpma_conn_disconnect">;

inline constexpr Rule kCloses = F::Must<"closes">(
    "DESCRIPTION",
    "The other side hears RPMA_CONN_CLOSED, and once it has disconnected too so does this one.");
inline constexpr Rule kProvider =
    F::Must<"provider">("ERRORS", "When rdma_disconnect fails the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kNoConnection = F::Open<"no-connection">(
    "DESCRIPTION",
    "What a call gives while there is no connection to tear down, or none any more.");

inline constexpr auto kRules =
    These(&kCloses, &F::kReturnValue, &F::kAccepted, &F::kNull<"conn">, &kProvider, &kNoConnection);

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"conn">)};
inline constexpr FaultClause kFaults[] = {{"rdma_disconnect", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {{&kNoConnection, [](const Call& call) {
                                        const auto state = call[0].thing->end->state();
                                        return state != model::End::State::kConnected &&
                                               state != model::End::State::kLeft;
                                      }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_PROVIDER};

inline constexpr CallPage kPage{
    .function = F::kName,
    .rules = kRules,
    .errors = kErrors,
    .faults = kFaults,
    .open = kOpen,
    .codes = kCodes,
    .return_value = &F::kReturnValue,
    .accepted = &F::kAccepted,
    .succeeded = [](model::Outcome& outcome) { outcome[0].thing->end->Disconnect(&kCloses); }};

}  // namespace spec::rpma_conn_disconnect
