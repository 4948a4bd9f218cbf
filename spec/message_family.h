// Rules of the pages whose operations carry a message to a receive of the other side.
#pragma once

#include <librpma.h>

#include "spec/families.h"

namespace spec {

template <Literal kFunction, Literal kSubject, Literal kPlural>
struct MessageFamily : SendFamily<kFunction, kSubject, kPlural> {
  using Send = SendFamily<kFunction, kSubject, kPlural>;

  static constexpr Rule kDataSent = Send::template Must<"data-sent">(
      "DESCRIPTION",
      kJoined<"After a successful ", kSubject.Tail(),
              " one buffer that awaited a message at the other side starts with the source's len "
              "bytes at offset.">);
  static constexpr Rule kDataBounds = Send::template Must<"data-bounds">(
      "DESCRIPTION", kJoined<kSubject,
                             " changes no byte outside the buffers that await messages "
                             "at the other side.">);
  static constexpr Rule kReceiveCompleted = Send::template Must<"receive-completed">(
      "DESCRIPTION",
      kJoined<"A successful ", kSubject.Tail(),
              " completes exactly one receive of the other side, which finds its length in "
              "byte_len.">);
  static constexpr Rule kLengthWhole = Send::template Must<"length-whole">(
      "DESCRIPTION",
      kJoined<kSubject,
              " never reports success for a length it did not carry: a length that "
              "cannot be carried is refused with a code of the page or ends in an error "
              "completion.">);
  static constexpr Rule kZeroByte = Send::template Must<"zero-byte">(
      "DESCRIPTION", kJoined<"With src NULL and offset and len 0 ", kSubject.Lowered(),
                             " is a real message: accepted, and completed like any other.">);

  static constexpr Rule kSrcNull = Send::template Must<"src-null">(
      "ERRORS", kJoined<kSubject,
                        " without src is refused with RPMA_E_INVAL, unless offset and "
                        "len are 0.">);
  static constexpr auto kErrorRules =
      These(&Send::kConnNull, &Send::kFlagsZero, &kSrcNull, &Send::kPostFailed);

  static constexpr Rule kRangeOutside = Send::template Open<"range-outside">(
      kJoined<"How ", kSubject.Lowered(), " fails whose range leaves the region.">);
  static constexpr Rule kRegionUsage = Send::template Open<"region-usage">(
      kJoined<"What ", kSubject.Lowered(), " from a region registered without SEND does.">);
  static constexpr Rule kRegionForeign = Send::template Open<"region-foreign">(
      kJoined<"What ", kSubject.Lowered(), " from a region of another peer does.">);
  static constexpr Rule kZeroLength = Send::template Open<"zero-length">(
      kJoined<"What ", kSubject.Lowered(), " of length 0 from a region, at any offset, does.">);
  static constexpr Rule kReceiveMissing = Send::template Open<"receive-missing">(
      kJoined<"What becomes of ", kSubject.Lowered(), " while no receive awaits it.">);
  static constexpr Rule kMessageTooLong = Send::template Open<"message-too-long">(
      kJoined<"What becomes of ", kSubject.Lowered(), " longer than a buffer that awaits it.">);
  static constexpr auto kOpenRegions = These(&kRangeOutside, &kRegionUsage, &kRegionForeign,
                                             &kZeroLength, &kReceiveMissing, &kMessageTooLong);

  struct Arguments {
    const rpma_conn* conn;
    const rpma_mr_local* src;
    std::size_t offset;
    std::size_t len;
    int flags;
  };

  static constexpr std::array<Clause<Arguments>, 3> kErrors{{
      {&Send::kConnNull, [](const Arguments& a) { return a.conn == nullptr; }, RPMA_E_INVAL},
      {&Send::kFlagsZero, [](const Arguments& a) { return a.flags == 0; }, RPMA_E_INVAL},
      {&kSrcNull,
       [](const Arguments& a) { return a.src == nullptr && (a.offset != 0 || a.len != 0); },
       RPMA_E_INVAL},
  }};

  static constexpr Page Roles() {
    Page page = Send::Roles();
    page.data_written = &kDataSent;
    page.data_bounds = &kDataBounds;
    page.receive_completed = &kReceiveCompleted;
    page.length_whole = &kLengthWhole;
    page.zero_byte = &kZeroByte;
    page.range_outside = &kRangeOutside;
    page.region_usage = &kRegionUsage;
    page.region_foreign = &kRegionForeign;
    page.zero_length = &kZeroLength;
    page.receive_missing = &kReceiveMissing;
    page.message_too_long = &kMessageTooLong;
    return page;
  }
};

}  // namespace spec
