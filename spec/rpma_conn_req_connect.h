// rpma_conn_req_connect(3): sends a request, or accepts one that came. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_req_connect {

using F = FunctionFamily<"rpma_conn_req_connect">;

inline constexpr Rule kMade =
    F::Must<"made">("RETURN VALUE", "On success *conn_ptr is a new connection.");
inline constexpr Rule kConsumed = F::Must<"consumed">(
    "RETURN VALUE",
    "The request is consumed and *req_ptr is NULL, whether the call succeeded or failed.");
inline constexpr Rule kEstablished = F::Must<"established">(
    "DESCRIPTION", "An accepted request ends with RPMA_CONN_ESTABLISHED at both sides.");
inline constexpr Rule kReleases = F::Must<"releases">(
    "RETURN VALUE",
    "A call that fails leaves nothing behind, and no client waits for an answer that nobody can "
    "give.");
inline constexpr Rule kReqNull =
    F::Must<"req-null">("ERRORS", "A call whose *req_ptr is NULL is refused with RPMA_E_INVAL.");
inline constexpr Rule kPdataEmpty = F::Must<"pdata-empty">(
    "ERRORS", "A call with private data of length 0 is refused with RPMA_E_INVAL.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS", "When rdma_connect or rdma_accept fails the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kPdataNowhere = F::Should<"pdata-ptr-null">(
    "DESCRIPTION", model::Sight::kRefusedInval,
    "A call whose private data has a length and no address is refused with RPMA_E_INVAL.");
inline constexpr Rule kPdataLong = F::Open<"pdata-long">(
    "DESCRIPTION",
    "What a call gives whose private data is longer than the 56 or 196 bytes of a transport.");
inline constexpr Rule kGone = F::Open<"requester-gone">(
    "DESCRIPTION", "What accepting a request gives whose client or endpoint is gone.");

inline constexpr auto kRules = These(
    &kMade, &kConsumed, &kEstablished, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"conn_ptr">,
    &kReleases, &F::kNull<"req_ptr">, &kReqNull, &F::kNull<"conn_ptr">, &kPdataEmpty, &F::kNoMemory,
    &kProvider, &F::kOtherCallFails, &kPdataNowhere, &kPdataLong, &kGone);

inline constexpr Clause<Call> kErrors[] = {
    WhenNull<0>(&F::kNull<"req_ptr">),
    {&kReqNull, [](const Call& call) { return !call[0].null() && call[0].holds_null; },
     RPMA_E_INVAL},
    WhenNull<2>(&F::kNull<"conn_ptr">),
    {&kPdataEmpty, [](const Call& call) { return !call[1].null() && call[1].before.empty(); },
     RPMA_E_INVAL}};
inline constexpr FaultClause kFaults[] = {
    {"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM},
    {"mmap", 0, &F::kNoMemory, RPMA_E_NOMEM},
    {"rdma_connect", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_accept", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_create_event_channel", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"rdma_migrate_id", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"ibv_reg_mr", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"ibv_modify_qp", 0, &F::kOtherCallFails, RPMA_E_PROVIDER}};

inline const model::End* EndOf(const Call& call) {
  return call[0].thing == nullptr ? nullptr : call[0].thing->end.get();
}

inline constexpr OpenCase kOpen[] = {
    {&kPdataNowhere,
     [](const Call& call) { return call[1].holds_null && !call[1].before.empty(); }},
    {&kPdataLong,
     [](const Call& call) {
       constexpr std::size_t kRequest = 56;
       constexpr std::size_t kReply = 196;
       return EndOf(call) != nullptr &&
              call[1].before.size() > (EndOf(call)->passive() ? kReply : kRequest);
     }},
    {&kGone, [](const Call& call) {
       return EndOf(call) != nullptr && EndOf(call)->state() == model::End::State::kUnclear;
     }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOMEM, RPMA_E_PROVIDER};

inline void Succeeded(model::Outcome& outcome) {
  model::Thing& request = *outcome[0].thing;
  outcome.Ended(&kConsumed, 0);
  model::Thing* conn = outcome.Made(&kMade, 2, "rpma_conn");
  if (conn == nullptr) return;
  conn->end = request.end;
  conn->things = request.things;
  conn->numbers = request.numbers;
  const std::span<const std::uint8_t> given = outcome[1].before;
  model::Bytes data;
  if (!outcome[1].null() && !outcome[1].holds_null) data.assign(given.begin(), given.end());
  if (conn->end->passive())
    conn->end->Accept(std::move(data), &kEstablished);
  else if (outcome.world().network_silent)
    conn->end->AskInVain();
  else
    conn->end->Ask(FindListener(outcome.world(), conn->end->address()), std::move(data));
}

inline void Failed(model::Outcome& outcome) {
  if (outcome[0].thing == nullptr) return;
  outcome.Ended(&kConsumed, 0);
  model::End& end = *outcome[0].thing->end;
  end.passive() ? end.Fail(&kReleases) : end.Leave();
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .open = kOpen,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"conn_ptr">,
                                .releases = &kReleases,
                                .succeeded = Succeeded,
                                .failed = Failed};

}  // namespace spec::rpma_conn_req_connect
