// rpma_conn_next_event(3): what has become of a connection. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_next_event {

using F = FunctionFamily<"rpma_conn_next_event">;

inline constexpr Rule kEstablished = F::Must<"established">(
    "DESCRIPTION", "When the connection has come about *event is RPMA_CONN_ESTABLISHED.");
inline constexpr Rule kClosed = F::Must<"closed">(
    "DESCRIPTION", "When the connection has been closed *event is RPMA_CONN_CLOSED.");
inline constexpr Rule kRejected = F::Must<"rejected">(
    "DESCRIPTION",
    "When the other side refused, or nobody listens there, *event is RPMA_CONN_REJECTED.");
inline constexpr Rule kLost =
    F::Must<"lost">("DESCRIPTION", "When the connection was lost *event is RPMA_CONN_LOST.");
inline constexpr Rule kUnreachable = F::Must<"unreachable">(
    "DESCRIPTION", "When the other side could not be reached *event is RPMA_CONN_UNREACHABLE.");
inline constexpr Rule kClosedOnce = F::Must<"closed-once">(
    "DESCRIPTION", "A connection is closed once: RPMA_CONN_CLOSED does not come again.");
inline constexpr Rule kDue = F::Must<"due">("DESCRIPTION", "The event that is due arrives.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS",
    "When rdma_get_cm_event or rdma_ack_cm_event fails the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kNothing = F::Should<"nothing-pending">(
    "DESCRIPTION", model::Sight::kRefusedNoEvent,
    "A call on a descriptor that does not block returns RPMA_E_NO_EVENT while no event waits; "
    "librpma(7) describes the mode and the page has no code for it.");

inline constexpr auto kRules =
    These(&kEstablished, &kClosed, &kRejected, &kLost, &kUnreachable, &kClosedOnce, &kDue,
          &F::kReturnValue, &F::kAccepted, &F::kNull<"conn">, &F::kNull<"event">, &F::kNoMemory,
          &kProvider, &kNothing);

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"conn">),
                                           WhenNull<1>(&F::kNull<"event">)};
inline constexpr FaultClause kFaults[] = {{"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM},
                                          {"rdma_get_cm_event", 0, &kProvider, RPMA_E_PROVIDER},
                                          {"rdma_ack_cm_event", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {
    {&kNothing, [](const Call& call) { return call[0].thing->end->due().empty(); }}};
inline constexpr const Rule* kOnDemand[] = {&kLost, &kUnreachable};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_UNKNOWN, RPMA_E_PROVIDER, RPMA_E_NOMEM,
                                 RPMA_E_NO_EVENT};

inline const Rule* RuleOf(int event) {
  switch (event) {
    case RPMA_CONN_ESTABLISHED:
      return &kEstablished;
    case RPMA_CONN_CLOSED:
      return &kClosed;
    case RPMA_CONN_LOST:
      return &kLost;
    case RPMA_CONN_UNREACHABLE:
      return &kUnreachable;
    default:
      return &kRejected;
  }
}

inline std::string NameOfEvent(int event) {
  constexpr const char* kNames[] = {"RPMA_CONN_ESTABLISHED", "RPMA_CONN_CLOSED", "RPMA_CONN_LOST",
                                    "RPMA_CONN_REJECTED", "RPMA_CONN_UNREACHABLE"};
  return event >= 0 && event < 5 ? kNames[event] : std::to_string(event);
}

inline void Succeeded(model::Outcome& outcome) {
  model::End& end = *outcome[0].thing->end;
  const int event = static_cast<int>(outcome[1].out());
  if (end.due().empty()) {
    const bool again = event == RPMA_CONN_CLOSED && end.closed_before;
    outcome.Expect(again ? &kClosedOnce : &kDue, false, "no event",
                   "*event is " + NameOfEvent(event));
    return;
  }
  const model::Due due = end.Take();
  if (due.event == model::kSomeEvent) return;
  // It has come, so the call is charged before whoever brought it about.
  const Rule* rule = RuleOf(due.event);
  outcome.Expect(due.promise != nullptr ? due.promise : rule, event == due.event,
                 "*event is " + NameOfEvent(due.event), "it is " + NameOfEvent(event),
                 due.promise != nullptr ? rule : nullptr);
}

inline void Failed(model::Outcome& outcome) {
  if (outcome[0].thing == nullptr || outcome[1].null()) return;
  model::Thing& conn = *outcome[0].thing;
  if (outcome.faulted("rdma_ack_cm_event")) {
    if (!conn.end->due().empty()) conn.end->Take();
  } else if (outcome.code() == RPMA_E_NO_EVENT && conn.end->due().empty() &&
             conn.end->closed_before) {
    outcome.Expect(&kClosedOnce, true, "", "");
  } else if (outcome.faulted() && !outcome.faulted("rdma_get_cm_event")) {
    conn.end->Lose();
  }
}

inline CallPage::Wait Waiting(const Call& call) {
  const model::Thing& conn = *call[0].thing;
  if (!conn.end->due().empty()) return CallPage::Wait::kDue;
  const bool blocks = conn.nonblocking.count("fd") == 0;
  const bool unclear = conn.end->doubtful || conn.end->state() == model::End::State::kUnclear;
  return blocks || unclear ? CallPage::Wait::kNever : CallPage::Wait::kNone;
}

inline constexpr CallPage kPage{
    .function = F::kName,
    .rules = kRules,
    .errors = kErrors,
    .faults = kFaults,
    .open = kOpen,
    .codes = kCodes,
    .on_demand = kOnDemand,
    .return_value = &F::kReturnValue,
    .accepted = &F::kAccepted,
    .succeeded = Succeeded,
    .failed = Failed,
    .waits = Waiting,
    .due = &kDue,
    .promise = [](const Call& call) { return call[0].thing->end->due().front().promise; }};

}  // namespace spec::rpma_conn_next_event
