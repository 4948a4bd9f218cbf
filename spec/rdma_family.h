// Rules of the pages whose operations carry bytes between a local and a remote region.
#pragma once

#include <librpma.h>

#include "spec/families.h"

namespace spec {

template <class Dst, class Src, Literal kFunction, Literal kSubject, Literal kPlural>
struct RdmaFamily : SendFamily<kFunction, kSubject, kPlural> {
  using Send = SendFamily<kFunction, kSubject, kPlural>;

  static constexpr Rule kLengthWhole = Send::template Must<"length-whole">(
      "DESCRIPTION",
      kJoined<kSubject,
              " never reports success for a length it did not carry: a length that "
              "cannot be carried is refused with a code of the page or ends in an error "
              "completion.">);
  static constexpr Rule kZeroByte = Send::template Must<"zero-byte">(
      "DESCRIPTION",
      kJoined<"With dst and src NULL and both offsets and len 0 ", kSubject.Lowered(),
              " is a real message: accepted, and completed like any other.">);

  static constexpr Rule kDstNull = Send::template Must<"dst-null">(
      "ERRORS", kJoined<kSubject,
                        " without dst is refused with RPMA_E_INVAL, unless src is NULL "
                        "and both offsets and len are 0.">);
  static constexpr Rule kSrcNull = Send::template Must<"src-null">(
      "ERRORS", kJoined<kSubject,
                        " without src is refused with RPMA_E_INVAL, unless dst is NULL "
                        "and both offsets and len are 0.">);
  static constexpr auto kErrorRules =
      These(&Send::kConnNull, &Send::kFlagsZero, &kDstNull, &kSrcNull, &Send::kPostFailed);

  static constexpr Rule kRangeOutside = Send::template Open<"range-outside">(
      kJoined<"How ", kSubject.Lowered(),
              " fails whose range leaves the local or the remote region.">);
  static constexpr Rule kRegionForeign = Send::template Open<"region-foreign">(
      kJoined<"What ", kSubject.Lowered(), " with a region of another peer does.">);
  static constexpr Rule kZeroLength = Send::template Open<"zero-length">(
      kJoined<"What ", kSubject.Lowered(),
              " of length 0 between two regions, at any offset, does.">);

  struct Arguments {
    const rpma_conn* conn;
    const Dst* dst;
    std::size_t dst_offset;
    const Src* src;
    std::size_t src_offset;
    std::size_t len;
    int flags;
  };

  static constexpr bool AnyNumber(const Arguments& a) {
    return a.src_offset != 0 || a.dst_offset != 0 || a.len != 0;
  }

  static constexpr std::array<Clause<Arguments>, 4> kErrors{{
      {&Send::kConnNull, [](const Arguments& a) { return a.conn == nullptr; }, RPMA_E_INVAL},
      {&Send::kFlagsZero, [](const Arguments& a) { return a.flags == 0; }, RPMA_E_INVAL},
      {&kDstNull,
       [](const Arguments& a) { return a.dst == nullptr && (a.src != nullptr || AnyNumber(a)); },
       RPMA_E_INVAL},
      {&kSrcNull,
       [](const Arguments& a) { return a.src == nullptr && (a.dst != nullptr || AnyNumber(a)); },
       RPMA_E_INVAL},
  }};

  static constexpr Page Roles() {
    Page page = Send::Roles();
    page.length_whole = &kLengthWhole;
    page.zero_byte = &kZeroByte;
    page.range_outside = &kRangeOutside;
    page.region_foreign = &kRegionForeign;
    page.zero_length = &kZeroLength;
    return page;
  }
};

}  // namespace spec
