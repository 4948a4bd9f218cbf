// rpma_recv(3): a buffer for a message of the other side. Pinned to librpma 1.3.0.
//
// The page makes the posted buffers a set: which of them a message takes is not promised, that it
// takes one is.
#pragma once

#include "spec/receive_family.h"

namespace spec::rpma_recv {

using Receive = ReceiveFamily<rpma_conn, "rpma_recv", "ibv_post_recv", "receive queue",
                              "on a working connection", "the connection works as before">;
using Arguments = Receive::Arguments;

// DESCRIPTION
inline constexpr Rule kZeroByte = Receive::Must<"zero-byte">(
    "DESCRIPTION",
    "With dst NULL and offset and len 0 a receive awaits a message of no bytes: accepted, and "
    "completed like any other.");
inline constexpr Rule kFailureReports{
    "rpma_recv.failure-reports", "librpma(7)", "QUEUES, PERFORMANCE AND RESOURCE USE", Force::kMust,
    "A receive that is outstanding when an operation of its side fails yields exactly one "
    "completion, with an error status."};

// ERRORS
inline constexpr Rule kConnNull = Receive::Must<"conn-null">(
    "ERRORS", "A receive without a connection is refused with RPMA_E_INVAL.");
inline constexpr Rule kDstNull = Receive::Must<"dst-null">(
    "ERRORS", "A receive without dst is refused with RPMA_E_INVAL, unless offset and len are 0.");

// What the page leaves open.
inline constexpr Rule kSharedQueue = Receive::Open<"shared-queue">(
    "What a receive on a connection that uses a shared receive queue does.");

inline constexpr std::array<Clause<Arguments>, 2> kErrors{{
    {&kConnNull, [](const Arguments& a) { return a.handle == nullptr; }, RPMA_E_INVAL},
    {&kDstNull, Receive::DstIsMissing, RPMA_E_INVAL},
}};

inline constexpr auto kRules =
    Together(These(&Receive::kDataPlaced, &Receive::kDataBounds, &Receive::kCompleted,
                   &Receive::kMessageOrder, &Receive::kLengthWhole, &kZeroByte, &kFailureReports,
                   &Receive::kOpContext),
             Receive::kReturns, These(&kConnNull, &kDstNull, &Receive::kPostFailed),
             Receive::kOpenBuffers, These(&kSharedQueue, &Receive::kPostAfterError));

inline constexpr Page kPage = [] {
  Page page = Receive::Roles();
  page.rules = kRules;
  page.zero_byte = &kZeroByte;
  page.always_failure = &kFailureReports;
  page.shared_queue = &kSharedQueue;
  page.post_after_error = &Receive::kPostAfterError;
  return page;
}();

}  // namespace spec::rpma_recv
