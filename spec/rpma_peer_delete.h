// rpma_peer_delete(3): the end of a peer. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_peer_delete {

using F = FunctionFamily<"rpma_peer_delete">;

inline constexpr Rule kNulled = F::Must<"nulled">("DESCRIPTION", "On success *peer_ptr is NULL.");
inline constexpr Rule kReleases =
    F::Must<"releases">("DESCRIPTION", "A deleted peer leaves no protection domain behind.");
inline constexpr Rule kKept = F::Must<"kept">(
    "RETURN VALUE", "After an error *peer_ptr is what it was, so that the call can be repeated.");
inline constexpr Rule kProvider =
    F::Must<"provider">("ERRORS", "When ibv_dealloc_pd fails the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kPtrNull = F::Should<"peer-ptr-null">(
    "ERRORS", model::Sight::kRefusedInval, "A call without peer_ptr is refused with RPMA_E_INVAL.");
inline constexpr Rule kInUse = F::Open<"in-use">(
    "DESCRIPTION",
    "What a call on a peer gives whose memory regions, queues or connections still exist.");

inline constexpr auto kRules = These(&kNulled, &F::kReturnValue, &F::kAccepted, &kKept, &kReleases,
                                     &kProvider, &kPtrNull, &kInUse);

inline constexpr FaultClause kFaults[] = {{"ibv_dealloc_pd", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {
    {&kPtrNull, [](const Call& call) { return call[0].null(); }},
    {&kInUse, [](const Call& call) {
       return call[0].thing != nullptr &&
              (call.world->had_failure || call.world->Uses(call[0].thing, "rpma_peer"));
     }}};
inline constexpr int kCodes[] = {RPMA_E_PROVIDER, RPMA_E_INVAL};

inline void Succeeded(model::Outcome& outcome) {
  if (!outcome[0].null()) outcome.Ended(&kNulled, 0);
}

inline void Failed(model::Outcome& outcome) {
  if (!outcome[0].null()) outcome.Kept(&kKept, 0);
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .faults = kFaults,
                                .open = kOpen,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .releases = &kReleases,
                                .kept = &kKept,
                                .succeeded = Succeeded,
                                .failed = Failed};

}  // namespace spec::rpma_peer_delete
