// rpma_atomic_write(3): eight bytes from the caller's memory to remote memory, at once. Pinned to
// librpma 1.3.0.
#pragma once

#include <librpma.h>

#include <array>

#include "spec/families.h"

namespace spec::rpma_atomic_write {

using AtomicWrite = SendFamily<"rpma_atomic_write", "An atomic write", "atomic writes">;

// DESCRIPTION
inline constexpr Rule kDataWritten = AtomicWrite::Must<"data-written">(
    "DESCRIPTION",
    "After a successful atomic write the 8 bytes at dst_offset are the caller's 8 bytes.");
inline constexpr Rule kDataBounds = AtomicWrite::Must<"data-bounds">(
    "DESCRIPTION", "An atomic write changes no byte outside its 8 target bytes.");
inline constexpr Rule kUntorn = AtomicWrite::Must<"untorn">(
    "DESCRIPTION",
    "Whoever reads the 8 target bytes sees the old or the new value, never a mix of both.");
inline constexpr Rule kSourceReuse = AtomicWrite::Must<"source-reuse">(
    "SYNOPSIS",
    "The caller's 8 bytes, in no registered region, are free for reuse when the call returns.");

// ERRORS
inline constexpr Rule kDstNull = AtomicWrite::Must<"dst-null">(
    "ERRORS", "An atomic write without dst is refused with RPMA_E_INVAL.");
inline constexpr Rule kSrcNull = AtomicWrite::Must<"src-null">(
    "ERRORS", "An atomic write without src is refused with RPMA_E_INVAL.");
inline constexpr Rule kDstOffsetUnaligned = AtomicWrite::Must<"dst-offset-unaligned">(
    "ERRORS",
    "An atomic write whose dst_offset is not a multiple of 8 is refused with RPMA_E_INVAL.");

// What the page leaves open.
inline constexpr Rule kRangeOutside = AtomicWrite::Open<"range-outside">(
    "How an atomic write fails whose 8 bytes leave the remote region.");
inline constexpr Rule kRegionUsage = AtomicWrite::Open<"region-usage">(
    "What an atomic write to a region registered without WRITE_DST does.");
inline constexpr Rule kRegionForeign =
    AtomicWrite::Open<"region-foreign">("What an atomic write to a region of another peer does.");
inline constexpr Rule kRegionStale = AtomicWrite::Open<"region-stale">(
    "What an atomic write to a region that its owner has deregistered does.");
inline constexpr Rule kRegionUnaligned = AtomicWrite::Should<"region-unaligned">(
    model::Sight::kRefusedInval,
    "An atomic write whose dst_offset is a multiple of 8 in a region whose base is not is refused "
    "with RPMA_E_INVAL.");

struct Arguments {
  const rpma_conn* conn;
  const rpma_mr_remote* dst;
  std::size_t dst_offset;
  const char* src;
  int flags;
};

inline constexpr std::array<Clause<Arguments>, 5> kErrors{{
    {&AtomicWrite::kConnNull, [](const Arguments& a) { return a.conn == nullptr; }, RPMA_E_INVAL},
    {&kDstNull, [](const Arguments& a) { return a.dst == nullptr; }, RPMA_E_INVAL},
    {&kSrcNull, [](const Arguments& a) { return a.src == nullptr; }, RPMA_E_INVAL},
    {&kDstOffsetUnaligned,
     [](const Arguments& a) { return a.dst_offset % RPMA_ATOMIC_WRITE_ALIGNMENT != 0; },
     RPMA_E_INVAL},
    {&AtomicWrite::kFlagsZero, [](const Arguments& a) { return a.flags == 0; }, RPMA_E_INVAL},
}};

inline constexpr auto kRules = Together(
    These(&kDataWritten, &kDataBounds, &kUntorn, &kSourceReuse), AtomicWrite::kCompletions,
    AtomicWrite::kReturns,
    These(&AtomicWrite::kConnNull, &kDstNull, &kSrcNull, &kDstOffsetUnaligned,
          &AtomicWrite::kFlagsZero, &AtomicWrite::kPostFailed),
    AtomicWrite::kOpenFlags,
    These(&kRangeOutside, &kRegionUsage, &kRegionForeign, &kRegionStale, &kRegionUnaligned),
    AtomicWrite::kOpenOutcomes);

inline constexpr Page kPage = [] {
  Page page = AtomicWrite::Roles();
  page.rules = kRules;
  page.data_written = &kDataWritten;
  page.data_bounds = &kDataBounds;
  page.untorn = &kUntorn;
  page.source_reuse = &kSourceReuse;
  page.range_outside = &kRangeOutside;
  page.region_usage = &kRegionUsage;
  page.region_foreign = &kRegionForeign;
  page.region_stale = &kRegionStale;
  page.region_unaligned = &kRegionUnaligned;
  return page;
}();

}  // namespace spec::rpma_atomic_write
