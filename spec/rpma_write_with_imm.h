// rpma_write_with_imm(3): a write that also completes a receive of the other side. Pinned to
// librpma 1.3.0.
#pragma once

#include "spec/rdma_family.h"

namespace spec::rpma_write_with_imm {

using Write = RdmaFamily<rpma_mr_remote, rpma_mr_local, "rpma_write_with_imm",
                         "A write with immediate data", "writes with immediate data">;
using Arguments = Write::Arguments;
inline constexpr auto& kErrors = Write::kErrors;

inline constexpr Rule kDataWritten =
    Write::Must<"data-written">("DESCRIPTION",
                                "After a successful write with immediate data the len bytes at "
                                "dst_offset are the source's bytes at src_offset.");
inline constexpr Rule kDataBounds =
    Write::Must<"data-bounds">("DESCRIPTION",
                               "A write with immediate data changes no byte outside its target "
                               "range, and none of the buffer of the receive that it completes.");

inline constexpr Rule kReceiveCompleted = Write::Must<"receive-completed">(
    "DESCRIPTION",
    "A successful write with immediate data completes exactly one receive of the other side, which "
    "finds its length in byte_len.");
inline constexpr Rule kImmDelivered = Write::Must<"imm-delivered">(
    "DESCRIPTION",
    "The receive that a write with immediate data completes has IBV_WC_WITH_IMM set and finds imm, "
    "in network byte order, in imm_data.");

// What the page leaves open.
inline constexpr Rule kRegionUsage = Write::Open<"region-usage">(
    "What a write with immediate data to a region registered without WRITE_DST does.");
inline constexpr Rule kRegionStale = Write::Open<"region-stale">(
    "What a write with immediate data to a region that its owner has deregistered does.");
inline constexpr Rule kReceiveMissing = Write::Open<"receive-missing">(
    "What becomes of a write with immediate data while no receive awaits it.");

inline constexpr auto kRules =
    Together(These(&kDataWritten, &kDataBounds, &kReceiveCompleted, &kImmDelivered,
                   &Write::kLengthWhole, &Write::kZeroByte),
             Write::kCompletions, Write::kReturns, Write::kErrorRules, Write::kOpenFlags,
             These(&Write::kRangeOutside, &kRegionUsage, &Write::kRegionForeign, &kRegionStale,
                   &Write::kZeroLength, &kReceiveMissing),
             Write::kOpenOutcomes);

inline constexpr Page kPage = [] {
  Page page = Write::Roles();
  page.rules = kRules;
  page.data_written = &kDataWritten;
  page.data_bounds = &kDataBounds;
  page.receive_completed = &kReceiveCompleted;
  page.imm_delivered = &kImmDelivered;
  page.receive_missing = &kReceiveMissing;
  page.region_usage = &kRegionUsage;
  page.region_stale = &kRegionStale;
  return page;
}();

}  // namespace spec::rpma_write_with_imm
