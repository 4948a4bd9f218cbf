// rpma_ep_next_conn_req(3): the next request of an endpoint. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_ep_next_conn_req {

using F = RequestFamily<"rpma_ep_next_conn_req", /*kConfig=*/1>;

inline constexpr Rule kMade = F::Must<"made">(
    "DESCRIPTION", "On success *req_ptr is a new object, the endpoint's next connection request.");
inline constexpr Rule kDue =
    F::Must<"due">("DESCRIPTION", "A connection that was asked for at the endpoint arrives there.");
inline constexpr Rule kReleases = F::Must<"releases">(
    "RETURN VALUE",
    "A call that fails leaves nothing behind, and no client waits for an answer that nobody can "
    "give.");
inline constexpr Rule kProvider =
    F::Must<"provider">("ERRORS", "When rdma_get_cm_event fails the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kNoEvent = F::Must<"no-event">(
    "ERRORS",
    "When no request waits and the descriptor does not block the call returns RPMA_E_NO_EVENT.");
inline constexpr Rule kGone = F::Open<"requester-gone">(
    "DESCRIPTION", "What a call gives when the client of the request has given up.");

inline constexpr auto kRules =
    These(&kMade, &kDue, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"req_ptr">, &kReleases,
          &F::kNull<"ep">, &F::kNull<"req_ptr">, &F::kNoMemory, &kProvider, &kNoEvent,
          &F::kOtherCallFails, &F::kSharedSrq, &kGone);

inline bool Waits(const Call& call) { return !call[0].thing->listener->empty(); }

inline constexpr Clause<Call> kErrors[] = {WhenNull<0>(&F::kNull<"ep">),
                                           WhenNull<2>(&F::kNull<"req_ptr">),
                                           {&kNoEvent,
                                            [](const Call& call) {
                                              return call[0].thing != nullptr && !call[2].null() &&
                                                     !Waits(call) &&
                                                     call[0].thing->nonblocking.count("fd") > 0;
                                            },
                                            RPMA_E_NO_EVENT}};
inline constexpr FaultClause kFaults[] = {
    {"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM},
    {"mmap", 0, &F::kNoMemory, RPMA_E_NOMEM},
    {"rdma_get_cm_event", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_ack_cm_event", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"rdma_create_event_channel", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"rdma_migrate_id", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"ibv_reg_mr", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"ibv_create_comp_channel", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"ibv_create_cq", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"ibv_req_notify_cq", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"rdma_create_qp", 0, &F::kOtherCallFails, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {
    F::kSharesAndHasRcq,
    {&kGone, [](const Call& call) { return call[0].thing->listener->abandoned(); }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_PROVIDER, RPMA_E_NOMEM, RPMA_E_NO_EVENT};

inline void Succeeded(model::Outcome& outcome) {
  model::Listener& listener = *outcome[0].thing->listener;
  std::shared_ptr<model::End> end = listener.empty() ? nullptr : listener.Take();
  model::Thing* request = outcome.Made(&kMade, 2, "rpma_conn_req");
  if (request == nullptr) return;
  outcome.Expect(&kMade, end != nullptr, "no request, since nobody asked", "a request");
  request->end = end != nullptr ? std::move(end) : model::End::Active("");
  request->things["rpma_peer"] = outcome[0].thing->thing("rpma_peer");
  request->things["rpma_ep"] = outcome[0].thing;
  Configure(outcome.call(), outcome[1], *request);
}

// The request may be gone, but not without an answer.
inline void Failed(model::Outcome& outcome) {
  if (outcome[0].thing == nullptr || outcome[2].null()) return;
  if (!outcome.faulted("rdma_get_cm_event")) outcome[0].thing->listener->Doubt(&kReleases);
}

inline CallPage::Wait Waiting(const Call& call) {
  const model::Listener& listener = *call[0].thing->listener;
  if (listener.has_request()) return CallPage::Wait::kDue;
  const bool blocks = call[0].thing->nonblocking.count("fd") == 0;
  return blocks || !listener.empty() ? CallPage::Wait::kNever : CallPage::Wait::kNone;
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .open = kOpen,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"req_ptr">,
                                .releases = &kReleases,
                                .succeeded = Succeeded,
                                .failed = Failed,
                                .waits = Waiting,
                                .due = &kDue};

}  // namespace spec::rpma_ep_next_conn_req
