// rpma_cq_wait(3): waits for a completion event. Pinned to librpma 1.3.0.
#pragma once

#include <cerrno>

#include "spec/connection_families.h"

namespace spec::rpma_cq_wait {

using F = FunctionFamily<"rpma_cq_wait">;

inline constexpr Rule kDue =
    F::Must<"due">("DESCRIPTION", "A completion that comes after the last wait raises an event.");
inline constexpr Rule kProvider =
    F::Must<"provider">("ERRORS", "When ibv_req_notify_cq fails the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kNoCompletion = F::Must<"no-completion">(
    "ERRORS",
    "When no event waits and the descriptor does not block the call returns RPMA_E_NO_COMPLETION.");
inline constexpr Rule kShared = F::Must<"shared-channel">(
    "ERRORS",
    "On a queue whose completion channel is shared the call returns RPMA_E_SHARED_CHANNEL.");
inline constexpr Rule kOtherCallFails = F::Should<"other-call-fails">(
    "ERRORS", model::Sight::kRefusedProvider,
    "When ibv_get_cq_event fails, and not because no event waits, the call returns "
    "RPMA_E_PROVIDER.");

inline constexpr auto kRules = These(&kDue, &F::kReturnValue, &F::kAccepted, &F::kNull<"cq">,
                                     &kProvider, &kNoCompletion, &kShared, &kOtherCallFails);

inline bool Shared(const Call& call) { return call[0].thing->number("shared") != 0; }

inline constexpr Clause<Call> kErrors[] = {
    WhenNull<0>(&F::kNull<"cq">),
    {&kNoCompletion,
     [](const Call& call) {
       return call[0].thing != nullptr && !Shared(call) && call[0].thing->queue->events == 0 &&
              call[0].thing->nonblocking.count("fd") > 0;
     },
     RPMA_E_NO_COMPLETION},
    {&kShared, [](const Call& call) { return call[0].thing != nullptr && Shared(call); },
     RPMA_E_SHARED_CHANNEL}};
inline constexpr FaultClause kFaults[] = {
    {"ibv_req_notify_cq", 0, &kProvider, RPMA_E_PROVIDER},
    {"ibv_get_cq_event", EAGAIN, &kNoCompletion, RPMA_E_NO_COMPLETION},
    {"ibv_get_cq_event", 0, &kOtherCallFails, RPMA_E_PROVIDER}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_PROVIDER, RPMA_E_NO_COMPLETION,
                                 RPMA_E_SHARED_CHANNEL};

inline void Succeeded(model::Outcome& outcome) {
  model::CompletionQueue& queue = *outcome[0].thing->queue;
  queue.TakeEvent();
  queue.ready = true;
  // Whether what is still under way raises another event depends on when it completes.
  if (!outcome.world().instant && queue.completions.size() > 1) queue.unclear = true;
}

// The event was taken, and no other will come.
inline void Failed(model::Outcome& outcome) {
  if (outcome.faulted("ibv_req_notify_cq")) outcome[0].thing->queue->unclear = true;
}

inline CallPage::Wait Waiting(const Call& call) {
  const model::CompletionQueue& queue = *call[0].thing->queue;
  return queue.events > 0 && !queue.unclear ? CallPage::Wait::kDue : CallPage::Wait::kNever;
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .succeeded = Succeeded,
                                .failed = Failed,
                                .waits = Waiting,
                                .due = &kDue};

}  // namespace spec::rpma_cq_wait
