// rpma_write(3): a one-sided write from local to remote memory. Pinned to librpma 1.3.0.
#pragma once

#include <librpma.h>

#include <array>

#include "spec/families.h"

namespace spec::rpma_write {

using Write = SendFamily<"rpma_write", "A write", "writes">;

// DESCRIPTION
inline constexpr Rule kDataWritten = Write::Must<"data-written">(
    "DESCRIPTION",
    "After a successful write the len bytes at dst_offset are the source's bytes at src_offset.");
inline constexpr Rule kDataBounds =
    Write::Must<"data-bounds">("DESCRIPTION", "A write changes no byte outside its target range.");
inline constexpr Rule kLengthWhole = Write::Must<"length-whole">(
    "DESCRIPTION",
    "A write never reports success for a length it did not carry: a length that cannot be carried "
    "is refused with a code of the page or ends in an error completion.");
inline constexpr Rule kZeroByte = Write::Must<"zero-byte">(
    "DESCRIPTION",
    "With dst and src NULL and both offsets and len 0 a write is a real message: accepted, and "
    "completed like any other.");

// ERRORS
inline constexpr Rule kDstNull = Write::Must<"dst-null">(
    "ERRORS",
    "A write without dst is refused with RPMA_E_INVAL, unless src is NULL and both offsets and len "
    "are 0.");
inline constexpr Rule kSrcNull = Write::Must<"src-null">(
    "ERRORS",
    "A write without src is refused with RPMA_E_INVAL, unless dst is NULL and both offsets and len "
    "are 0.");

// What the page leaves open.
inline constexpr Rule kRangeOutside = Write::Open<"range-outside">(
    "How a write fails whose range leaves the local or the remote region.");
inline constexpr Rule kRegionUsage =
    Write::Open<"region-usage">("What a write to a region registered without WRITE_DST does.");
inline constexpr Rule kRegionForeign =
    Write::Open<"region-foreign">("What a write with a region of another peer does.");
inline constexpr Rule kRegionStale =
    Write::Open<"region-stale">("What a write to a region that its owner has deregistered does.");
inline constexpr Rule kZeroLength = Write::Open<"zero-length">(
    "What a write of length 0 between two regions, at any offset, does.");

struct Arguments {
  const rpma_conn* conn;
  const rpma_mr_remote* dst;
  std::size_t dst_offset;
  const rpma_mr_local* src;
  std::size_t src_offset;
  std::size_t len;
  int flags;
};

constexpr bool AnyNumber(const Arguments& a) {
  return a.src_offset != 0 || a.dst_offset != 0 || a.len != 0;
}

inline constexpr std::array<Clause<Arguments>, 4> kErrors{{
    {&Write::kConnNull, [](const Arguments& a) { return a.conn == nullptr; }, RPMA_E_INVAL},
    {&Write::kFlagsZero, [](const Arguments& a) { return a.flags == 0; }, RPMA_E_INVAL},
    {&kDstNull,
     [](const Arguments& a) { return a.dst == nullptr && (a.src != nullptr || AnyNumber(a)); },
     RPMA_E_INVAL},
    {&kSrcNull,
     [](const Arguments& a) { return a.src == nullptr && (a.dst != nullptr || AnyNumber(a)); },
     RPMA_E_INVAL},
}};

inline constexpr auto kRules = Together(
    These(&kDataWritten, &kDataBounds, &kLengthWhole, &kZeroByte), Write::kCompletions,
    Write::kReturns,
    These(&Write::kConnNull, &Write::kFlagsZero, &kDstNull, &kSrcNull, &Write::kPostFailed),
    Write::kOpenFlags,
    These(&kRangeOutside, &kRegionUsage, &kRegionForeign, &kRegionStale, &kZeroLength),
    Write::kOpenOutcomes);

inline constexpr Page kPage = [] {
  Page page = Write::Roles();
  page.rules = kRules;
  page.data_written = &kDataWritten;
  page.data_bounds = &kDataBounds;
  page.length_whole = &kLengthWhole;
  page.zero_byte = &kZeroByte;
  page.range_outside = &kRangeOutside;
  page.region_usage = &kRegionUsage;
  page.region_foreign = &kRegionForeign;
  page.region_stale = &kRegionStale;
  page.zero_length = &kZeroLength;
  return page;
}();

}  // namespace spec::rpma_write
