// rpma_srq_recv(3): a buffer for a message to any of the connections that share a receive queue.
// Pinned to librpma 1.3.0.
#pragma once

#include "spec/receive_family.h"

namespace spec::rpma_srq_recv {

using Receive =
    ReceiveFamily<rpma_srq, "rpma_srq_recv", "ibv_post_srq_recv", "shared receive queue",
                  "by a shared receive queue", "the queue works as before">;
using Arguments = Receive::Arguments;

// DESCRIPTION
inline constexpr Rule kZeroByte = Receive::Must<"zero-byte">(
    "DESCRIPTION",
    "With dst NULL and offset and len 0 a receive awaits a message of no bytes: accepted, and "
    "completed like any other.");
inline constexpr Rule kServesAll = Receive::Must<"serves-all">(
    "DESCRIPTION",
    "The buffers of a shared receive queue await messages to every connection that uses it.");

// ERRORS
inline constexpr Rule kSrqNull = Receive::Must<"srq-null">(
    "ERRORS", "A receive without a shared receive queue is refused with RPMA_E_INVAL.");
inline constexpr Rule kDstNull = Receive::Must<"dst-null">(
    "ERRORS", "A receive without dst is refused with RPMA_E_INVAL, unless offset and len are 0.");

inline constexpr std::array<Clause<Arguments>, 2> kErrors{{
    {&kSrqNull, [](const Arguments& a) { return a.handle == nullptr; }, RPMA_E_INVAL},
    {&kDstNull, Receive::DstIsMissing, RPMA_E_INVAL},
}};

inline constexpr auto kRules = Together(
    These(&Receive::kDataPlaced, &Receive::kDataBounds, &Receive::kCompleted,
          &Receive::kMessageOrder, &kServesAll, &Receive::kLengthWhole, &kZeroByte,
          &Receive::kOpContext),
    Receive::kReturns, These(&kSrqNull, &kDstNull, &Receive::kPostFailed), Receive::kOpenBuffers);

inline constexpr Page kPage = [] {
  Page page = Receive::Roles();
  page.rules = kRules;
  page.zero_byte = &kZeroByte;
  page.serves_all = &kServesAll;
  return page;
}();

}  // namespace spec::rpma_srq_recv
