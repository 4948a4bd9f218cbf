// rpma_write(3): a one-sided write from local to remote memory. Pinned to librpma 1.3.0.
#pragma once

#include "spec/rdma_family.h"

namespace spec::rpma_write {

using Write = RdmaFamily<rpma_mr_remote, rpma_mr_local, "rpma_write", "A write", "writes">;
using Arguments = Write::Arguments;
inline constexpr auto& kErrors = Write::kErrors;

inline constexpr Rule kDataWritten = Write::Must<"data-written">(
    "DESCRIPTION",
    "After a successful write the len bytes at dst_offset are the source's bytes at src_offset.");
inline constexpr Rule kDataBounds =
    Write::Must<"data-bounds">("DESCRIPTION", "A write changes no byte outside its target range.");

// What the page leaves open.
inline constexpr Rule kRegionUsage =
    Write::Open<"region-usage">("What a write to a region registered without WRITE_DST does.");
inline constexpr Rule kRegionStale =
    Write::Open<"region-stale">("What a write to a region that its owner has deregistered does.");

inline constexpr auto kRules =
    Together(These(&kDataWritten, &kDataBounds, &Write::kLengthWhole, &Write::kZeroByte),
             Write::kCompletions, Write::kReturns, Write::kErrorRules, Write::kOpenFlags,
             These(&Write::kRangeOutside, &kRegionUsage, &Write::kRegionForeign, &kRegionStale,
                   &Write::kZeroLength),
             Write::kOpenOutcomes);

inline constexpr Page kPage = [] {
  Page page = Write::Roles();
  page.rules = kRules;
  page.data_written = &kDataWritten;
  page.data_bounds = &kDataBounds;
  page.region_usage = &kRegionUsage;
  page.region_stale = &kRegionStale;
  return page;
}();

}  // namespace spec::rpma_write
