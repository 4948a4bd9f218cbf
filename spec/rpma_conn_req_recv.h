// rpma_conn_req_recv(3): a buffer for a message, prepared before the connection is established.
// Pinned to librpma 1.3.0.
//
// The page refuses what librpma takes (op_context NULL), and is not clear about the form without a
// region, which it names "src": both are left open.
#pragma once

#include "spec/receive_family.h"

namespace spec::rpma_conn_req_recv {

using Receive = ReceiveFamily<rpma_conn_req, "rpma_conn_req_recv", "ibv_post_recv", "receive queue",
                              "before the connection is established",
                              "the connection can be established and works">;
using Arguments = Receive::Arguments;

// DESCRIPTION
inline constexpr Rule kFailureReports{
    "rpma_conn_req_recv.failure-reports", "librpma(7)", "QUEUES, PERFORMANCE AND RESOURCE USE",
    Force::kMust,
    "A receive that is outstanding when an operation of its side fails yields exactly one "
    "completion, with an error status."};

// ERRORS
inline constexpr Rule kReqNull = Receive::Must<"req-null">(
    "ERRORS", "A receive without a connection request is refused with RPMA_E_INVAL.");
inline constexpr Rule kDstNull = Receive::Must<"dst-null">(
    "ERRORS", "A receive without dst whose offset or len is not 0 is refused with RPMA_E_INVAL.");

// What the page leaves open.
inline constexpr Rule kZeroByte =
    Receive::Open<"zero-byte">("What a receive with dst NULL and offset and len 0 does.");
inline constexpr Rule kContextNull =
    Receive::Open<"context-null">("What a receive with op_context NULL does.");
inline constexpr Rule kSharedQueue = Receive::Open<"shared-queue">(
    "What a receive on a request for a connection that uses a shared receive queue does.");

inline constexpr std::array<Clause<Arguments>, 2> kErrors{{
    {&kReqNull, [](const Arguments& a) { return a.handle == nullptr; }, RPMA_E_INVAL},
    {&kDstNull, Receive::DstIsMissing, RPMA_E_INVAL},
}};

inline constexpr auto kRules = Together(
    These(&Receive::kDataPlaced, &Receive::kDataBounds, &Receive::kCompleted,
          &Receive::kMessageOrder, &Receive::kLengthWhole, &kFailureReports, &Receive::kOpContext),
    Receive::kReturns, These(&kReqNull, &kDstNull, &Receive::kPostFailed), Receive::kOpenBuffers,
    These(&kZeroByte, &kContextNull, &kSharedQueue));

inline constexpr Page kPage = [] {
  Page page = Receive::Roles();
  page.rules = kRules;
  page.always_failure = &kFailureReports;
  page.zero_byte_open = &kZeroByte;
  page.context_null = &kContextNull;
  page.shared_queue = &kSharedQueue;
  return page;
}();

}  // namespace spec::rpma_conn_req_recv
