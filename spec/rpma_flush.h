// rpma_flush(3): what was written before it is in the other side's memory when it has completed.
// Pinned to librpma 1.3.0.
#pragma once

#include <librpma.h>

#include "spec/families.h"

namespace spec::rpma_flush {

using Flush = SendFamily<"rpma_flush", "A flush", "flushes">;

// DESCRIPTION
inline constexpr Rule kWritesPlaced = Flush::Must<"writes-placed">(
    "DESCRIPTION",
    "When a flush has completed, all that was written before it on the connection is in the other "
    "side's memory.");
inline constexpr Rule kDataBounds =
    Flush::Must<"data-bounds">("DESCRIPTION", "A flush changes no byte of either side's memory.");
inline constexpr Rule kRegionEnd = Flush::Must<"region-end">(
    "DESCRIPTION",
    "A flush of a range inside its region succeeds, however near the region's end the range is and "
    "however small the region.");

// ERRORS
inline constexpr Rule kDstNull =
    Flush::Must<"dst-null">("ERRORS", "A flush without dst is refused with RPMA_E_INVAL.");
inline constexpr Rule kTypeUnknown = Flush::Must<"type-unknown">(
    "ERRORS", "A flush whose type is neither of the two is refused with RPMA_E_INVAL.");
inline constexpr Rule kPersistentUnsupported = Flush::Must<"persistent-unsupported">(
    "ERRORS",
    "A persistent flush on a connection whose other side is not known to support direct write to "
    "pmem is refused with RPMA_E_NOSUPP.");

// What the page leaves open.
inline constexpr Rule kRangeOutside =
    Flush::Open<"range-outside">("What a flush does whose range leaves the region.");
inline constexpr Rule kRegionUsage = Flush::Should<"region-usage">(
    model::Sight::kRefusedNosupp,
    "A flush of a region registered without the usage of its type is refused with "
    "RPMA_E_NOSUPP.");
inline constexpr Rule kRegionForeign =
    Flush::Open<"region-foreign">("What a flush of a region of another peer does.");
inline constexpr Rule kRegionStale =
    Flush::Open<"region-stale">("What a flush of a region that its owner has deregistered does.");
inline constexpr Rule kZeroLength =
    Flush::Open<"zero-length">("What a flush of length 0, at any offset, does.");

struct Arguments {
  const rpma_conn* conn;
  const rpma_mr_remote* dst;
  int type;
  int flags;
  bool direct_write;  // the other side is known to support direct write to pmem
};

inline constexpr std::array<Clause<Arguments>, 5> kErrors{{
    {&Flush::kConnNull, [](const Arguments& a) { return a.conn == nullptr; }, RPMA_E_INVAL},
    {&kDstNull, [](const Arguments& a) { return a.dst == nullptr; }, RPMA_E_INVAL},
    {&kTypeUnknown,
     [](const Arguments& a) {
       return a.type != RPMA_FLUSH_TYPE_PERSISTENT && a.type != RPMA_FLUSH_TYPE_VISIBILITY;
     },
     RPMA_E_INVAL},
    {&Flush::kFlagsZero, [](const Arguments& a) { return a.flags == 0; }, RPMA_E_INVAL},
    {&kPersistentUnsupported,
     [](const Arguments& a) {
       return a.conn != nullptr && a.type == RPMA_FLUSH_TYPE_PERSISTENT && !a.direct_write;
     },
     RPMA_E_NOSUPP},
}};

inline constexpr auto kRules =
    Together(These(&kWritesPlaced, &kDataBounds, &kRegionEnd), Flush::kCompletions, Flush::kReturns,
             These(&Flush::kConnNull, &kDstNull, &kTypeUnknown, &Flush::kFlagsZero,
                   &Flush::kPostFailed, &kPersistentUnsupported),
             Flush::kOpenFlags,
             These(&kRangeOutside, &kRegionUsage, &kRegionForeign, &kRegionStale, &kZeroLength),
             Flush::kOpenOutcomes);

inline constexpr Page kPage = [] {
  Page page = Flush::Roles();
  page.rules = kRules;
  page.also_returns = RPMA_E_NOSUPP;
  page.data_written = &kWritesPlaced;
  page.data_bounds = &kDataBounds;
  page.region_end = &kRegionEnd;
  page.range_outside = &kRangeOutside;
  page.region_usage = &kRegionUsage;
  page.region_foreign = &kRegionForeign;
  page.region_stale = &kRegionStale;
  page.zero_length = &kZeroLength;
  return page;
}();

}  // namespace spec::rpma_flush
