// rpma_conn_wait(3): waits for a completion event on a channel that both queues share. Pinned to
// librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_wait {

using F = FunctionFamily<"rpma_conn_wait">;

inline constexpr Rule kQueue =
    F::Must<"queue">("DESCRIPTION", "On success *cq is the completion queue that has the event.");
inline constexpr Rule kIsRcq = F::Must<"is-rcq">(
    "DESCRIPTION", "On success *is_rcq says whether it is the receive completion queue.");
inline constexpr Rule kDue =
    F::Must<"due">("DESCRIPTION", "A completion that comes after the last wait raises an event.");
inline constexpr Rule kNotShared = F::Must<"not-shared">(
    "ERRORS",
    "On a connection without a shared completion channel the call returns RPMA_E_NOT_SHARED_CHNL.");
inline constexpr Rule kNoCompletion = F::Must<"no-completion">(
    "ERRORS", "When ibv_get_cq_event fails the call returns RPMA_E_NO_COMPLETION.");
inline constexpr Rule kProvider =
    F::Must<"provider">("ERRORS", "When ibv_req_notify_cq fails the call returns RPMA_E_PROVIDER.");

inline constexpr auto kRules =
    These(&kQueue, &kIsRcq, &kDue, &F::kReturnValue, &F::kAccepted, &F::kNull<"conn">,
          &F::kNull<"cq">, &kNotShared, &kNoCompletion, &kProvider);

inline bool Events(const model::CompletionQueue* queue) {
  return queue != nullptr && queue->events > 0;
}

inline bool Any(const Call& call) {
  const model::End& end = *call[0].thing->end;
  return Events(end.cq.get()) || Events(end.rcq.get());
}

inline bool Proper(const Call& call) { return call[0].thing != nullptr && !call[2].null(); }

inline constexpr Clause<Call> kErrors[] = {
    WhenNull<0>(&F::kNull<"conn">),
    WhenNull<2>(&F::kNull<"cq">),
    {&kNotShared,
     [](const Call& call) { return Proper(call) && call[0].thing->number("shared") == 0; },
     RPMA_E_NOT_SHARED_CHNL},
    {&kNoCompletion,
     [](const Call& call) {
       return Proper(call) && call[0].thing->number("shared") != 0 && !Any(call) &&
              call[0].thing->nonblocking.count("compl_fd") > 0;
     },
     RPMA_E_NO_COMPLETION}};
inline constexpr FaultClause kFaults[] = {
    {"ibv_get_cq_event", 0, &kNoCompletion, RPMA_E_NO_COMPLETION},
    {"ibv_req_notify_cq", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOT_SHARED_CHNL, RPMA_E_NO_COMPLETION,
                                 RPMA_E_UNKNOWN, RPMA_E_PROVIDER};

// Whether the call says that the receive queue has the event.
inline bool SaysRcq(const Call& call) {
  const model::Thing& conn = *call[0].thing;
  if (!call[3].null()) return call[3].out() != 0;
  const model::Thing* rcq = conn.thing("rcq");
  return rcq != nullptr ? call[2].out() == rcq->handle : !Events(conn.end->cq.get());
}

inline void Succeeded(model::Outcome& outcome) {
  model::Thing& conn = *outcome[0].thing;
  const bool rcq = SaysRcq(outcome.call());
  const std::shared_ptr<model::CompletionQueue>& queue = rcq ? conn.end->rcq : conn.end->cq;
  outcome.Expect(&kIsRcq, Events(queue.get()), rcq ? "*is_rcq is false" : "*is_rcq is true",
                 rcq ? "it is true" : "it is false");
  if (outcome.broke()) return;
  ExpectCq(outcome, &kQueue, 2, conn, rcq ? "rcq" : "cq", queue);
  queue->TakeEvent();
}

// The event was taken, and no other will come.
inline void Failed(model::Outcome& outcome) {
  if (!outcome.faulted("ibv_req_notify_cq")) return;
  const model::End& end = *outcome[0].thing->end;
  end.cq->unclear = true;
  if (end.rcq != nullptr) end.rcq->unclear = true;
}

inline CallPage::Wait Waiting(const Call& call) {
  const model::End& end = *call[0].thing->end;
  const bool unclear = end.cq->unclear || (end.rcq != nullptr && end.rcq->unclear);
  return Any(call) && !unclear ? CallPage::Wait::kDue : CallPage::Wait::kNever;
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

}  // namespace spec::rpma_conn_wait
