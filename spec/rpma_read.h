// rpma_read(3): a one-sided read from remote to local memory. Pinned to librpma 1.3.0.
#pragma once

#include "spec/rdma_family.h"

namespace spec::rpma_read {

using Read = RdmaFamily<rpma_mr_local, rpma_mr_remote, "rpma_read", "A read", "reads">;
using Arguments = Read::Arguments;
inline constexpr auto& kErrors = Read::kErrors;

inline constexpr Rule kDataRead = Read::Must<"data-read">(
    "DESCRIPTION",
    "After a successful read the len bytes at dst_offset are the source's bytes at src_offset.");
inline constexpr Rule kDataBounds = Read::Must<"data-bounds">(
    "DESCRIPTION",
    "A read changes no byte outside its target range, and none of the remote memory.");

// What the page leaves open.
inline constexpr Rule kRegionUsage = Read::Open<"region-usage">(
    "What a read does from a region registered without READ_SRC, or into one without READ_DST.");
inline constexpr Rule kRegionStale =
    Read::Open<"region-stale">("What a read from a region that its owner has deregistered does.");

inline constexpr auto kRules =
    Together(These(&kDataRead, &kDataBounds, &Read::kLengthWhole, &Read::kZeroByte),
             Read::kCompletions, Read::kReturns, Read::kErrorRules, Read::kOpenFlags,
             These(&Read::kRangeOutside, &kRegionUsage, &Read::kRegionForeign, &kRegionStale,
                   &Read::kZeroLength),
             Read::kOpenOutcomes);

inline constexpr Page kPage = [] {
  Page page = Read::Roles();
  page.rules = kRules;
  page.data_written = &kDataRead;
  page.data_bounds = &kDataBounds;
  page.region_usage = &kRegionUsage;
  page.region_stale = &kRegionStale;
  return page;
}();

}  // namespace spec::rpma_read
