// rpma_conn_req_new(3): a request for a connection, not yet sent. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_req_new {

using F = RequestFamily<"rpma_conn_req_new", /*kConfig=*/3>;

inline constexpr Rule kMade =
    F::Must<"made">("DESCRIPTION", "On success *req_ptr is a new connection request.");
inline constexpr Rule kReleases =
    F::Must<"releases">("RETURN VALUE", "A call that fails leaves nothing behind.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS",
    "When rdma_create_id, rdma_resolve_addr, rdma_resolve_route or ibv_create_cq fails the call "
    "returns RPMA_E_PROVIDER.");

inline constexpr auto kRules =
    These(&kMade, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"req_ptr">, &kReleases,
          &F::kNull<"peer">, &F::kNull<"addr">, &F::kNull<"port">, &F::kNull<"req_ptr">,
          &F::kNoMemory, &kProvider, &F::kOtherCallFails, &F::kSharedSrq);

inline constexpr Clause<Call> kErrors[] = {
    WhenNull<0>(&F::kNull<"peer">), WhenNull<1>(&F::kNull<"addr">), WhenNull<2>(&F::kNull<"port">),
    WhenNull<4>(&F::kNull<"req_ptr">)};
inline constexpr FaultClause kFaults[] = {
    {"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM},
    {"mmap", 0, &F::kNoMemory, RPMA_E_NOMEM},
    {"rdma_create_id", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_resolve_addr", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_resolve_route", 0, &kProvider, RPMA_E_PROVIDER},
    {"ibv_create_cq", 0, &kProvider, RPMA_E_PROVIDER},
    {"rdma_getaddrinfo", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"rdma_create_event_channel", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"rdma_migrate_id", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"ibv_reg_mr", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"ibv_create_comp_channel", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"ibv_req_notify_cq", 0, &F::kOtherCallFails, RPMA_E_PROVIDER},
    {"rdma_create_qp", 0, &F::kOtherCallFails, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {F::kSharesAndHasRcq};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOMEM, RPMA_E_PROVIDER};

inline void Succeeded(model::Outcome& outcome) {
  model::Thing* request = outcome.Made(&kMade, 4, "rpma_conn_req");
  if (request == nullptr) return;
  request->end = model::End::Active(AddressOf(outcome[1], outcome[2]));
  request->things["rpma_peer"] = outcome[0].thing;
  Configure(outcome.call(), outcome[3], *request);
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
                                .succeeded = Succeeded};

}  // namespace spec::rpma_conn_req_new
