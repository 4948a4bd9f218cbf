// rpma_ep_listen(3): an endpoint, where connection requests arrive. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_ep_listen {

using F = FunctionFamily<"rpma_ep_listen">;

inline constexpr Rule kMade =
    F::Must<"made">("DESCRIPTION", "On success *ep_ptr is a new endpoint.");
inline constexpr Rule kReleases =
    F::Must<"releases">("RETURN VALUE", "A call that fails leaves no RDMA CM object behind.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS",
    "When rdma_create_event_channel, rdma_create_id, rdma_getaddrinfo or rdma_listen fails the "
    "call returns RPMA_E_PROVIDER.");
inline constexpr Rule kPortTaken = F::Must<"port-taken">(
    "ERRORS", "Where another endpoint listens the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kOtherCallFails = F::Should<"other-call-fails">(
    "ERRORS", model::Sight::kRefusedProvider,
    "A call that fails with rdma_bind_addr, which the page does not name, returns "
    "RPMA_E_PROVIDER.");

inline constexpr auto kRules =
    These(&kMade, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"ep_ptr">, &kReleases,
          &F::kNull<"peer">, &F::kNull<"addr">, &F::kNull<"port">, &F::kNull<"ep_ptr">,
          &F::kNoMemory, &kProvider, &kPortTaken, &kOtherCallFails);

inline constexpr Clause<Call> kErrors[] = {
    WhenNull<0>(&F::kNull<"peer">),
    WhenNull<1>(&F::kNull<"addr">),
    WhenNull<2>(&F::kNull<"port">),
    WhenNull<3>(&F::kNull<"ep_ptr">),
    {&kPortTaken,
     [](const Call& call) {
       return call.world != nullptr && !call[1].null() && !call[2].null() &&
              FindListener(*call.world, AddressOf(call[1], call[2])) != nullptr;
     },
     RPMA_E_PROVIDER}};
inline constexpr FaultClause kFaults[] = {
    {"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM},
    {"rdma_create_event_channel", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_create_id", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_getaddrinfo", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_listen", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_bind_addr", 0, &kOtherCallFails, RPMA_E_PROVIDER}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_PROVIDER, RPMA_E_NOMEM};

inline void Succeeded(model::Outcome& outcome) {
  model::Thing* ep = outcome.Made(&kMade, 3, "rpma_ep");
  if (ep == nullptr) return;
  ep->things["rpma_peer"] = outcome[0].thing;
  ep->listener = std::make_shared<model::Listener>(AddressOf(outcome[1], outcome[2]));
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"ep_ptr">,
                                .releases = &kReleases,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_ep_listen
