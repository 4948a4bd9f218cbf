// rpma_srq_new(3): a shared receive queue on a peer's device. Pinned to librpma 1.3.0.
#pragma once

#include <cstdint>

#include "spec/call_families.h"

namespace spec::rpma_srq_new {

using F = FunctionFamily<"rpma_srq_new">;

inline constexpr Rule kMade =
    F::Must<"made">("DESCRIPTION", "On success *srq_ptr is a new shared receive queue.");
inline constexpr Rule kReleases =
    F::Must<"releases">("RETURN VALUE", "A call that fails leaves no verbs object behind.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS",
    "When ibv_create_srq, ibv_create_comp_channel, ibv_create_cq or ibv_req_notify_cq fails the "
    "call returns RPMA_E_PROVIDER.");
inline constexpr Rule kSizeZero =
    F::Open<"rq-size-zero">("ERRORS", "What a queue that can hold no receive gives.");

inline constexpr auto kRules =
    These(&kMade, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"srq_ptr">, &kReleases,
          &F::kNull<"peer">, &F::kNull<"srq_ptr">, &F::kNoMemory, &kProvider, &kSizeZero);

// A size of the configuration; without one its default.
inline std::uint64_t SizeOf(const Call& call, std::string_view property) {
  constexpr std::uint64_t kDefault = 100;
  return call[1].thing != nullptr ? call[1].thing->number(property) : kDefault;
}

// No device has queues that long.
inline bool TooLarge(const Call& call) {
  return SizeOf(call, "rq_size") == UINT32_MAX || SizeOf(call, "rcq_size") == UINT32_MAX;
}

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"peer">),
                                           WhenNull<2>(&F::kNull<"srq_ptr">),
                                           {&kProvider, TooLarge, RPMA_E_PROVIDER}};
inline constexpr FaultClause kFaults[] = {
    {"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM},
    {"ibv_create_srq", 0, &kProvider, RPMA_E_PROVIDER},
    {"ibv_create_comp_channel", 0, &kProvider, RPMA_E_PROVIDER},
    {"ibv_create_cq", 0, &kProvider, RPMA_E_PROVIDER},
    {"ibv_req_notify_cq", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {
    {&kSizeZero, [](const Call& call) { return SizeOf(call, "rq_size") == 0; }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOMEM, RPMA_E_PROVIDER};

inline void Succeeded(model::Outcome& outcome) {
  model::Thing* srq = outcome.Made(&kMade, 2, "rpma_srq");
  if (srq == nullptr) return;
  srq->things["rpma_peer"] = outcome[0].thing;
  srq->numbers = {{"rcq_size", SizeOf(outcome.call(), "rcq_size")}};
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .open = kOpen,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"srq_ptr">,
                                .releases = &kReleases,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_srq_new
