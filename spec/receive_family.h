// Rules of the pages that prepare a buffer for a message.
#pragma once

#include <librpma.h>

#include "spec/families.h"

namespace spec {

template <class Handle, Literal kFunction, Literal kVerb, Literal kQueue, Literal kWhere,
          Literal kAfter>
struct ReceiveFamily
    : CallFamily<kFunction, "A receive", "receives", kVerb, kQueue, kWhere, kAfter> {
  using Call = CallFamily<kFunction, "A receive", "receives", kVerb, kQueue, kWhere, kAfter>;

  static constexpr Rule kDataPlaced = Call::template Must<"data-placed">(
      "DESCRIPTION", "A message stands whole at the start of one of the buffers that awaited it.");
  static constexpr Rule kDataBounds = Call::template Must<"data-bounds">(
      "DESCRIPTION", "A message changes no byte outside the buffer that it is placed in.");
  static constexpr Rule kCompleted = Call::template Must<"completed">(
      "DESCRIPTION",
      "A message that arrives yields exactly one completion of a receive, with status success.");
  static constexpr Rule kMessageOrder = Call::template Must<"message-order">(
      "DESCRIPTION",
      "Receives complete in the order of their messages, whichever buffers these are placed in.");
  static constexpr Rule kLengthWhole = Call::template Must<"length-whole">(
      "DESCRIPTION",
      "A receive never takes a message with success in a buffer whose length it cut: a length that "
      "no request can say is refused with a code of the page or ends in an error completion.");

  static constexpr Rule kRangeOutside =
      Call::template Open<"range-outside">("What a receive does whose range leaves the region.");
  static constexpr Rule kRegionUsage = Call::template Open<"region-usage">(
      "What a receive into a region registered without RECV does.");
  static constexpr Rule kRegionForeign =
      Call::template Open<"region-foreign">("What a receive into a region of another peer does.");
  static constexpr Rule kZeroLength = Call::template Open<"zero-length">(
      "What a receive of length 0 into a region, at any offset, does.");
  static constexpr Rule kMessageTooLong = Call::template Open<"message-too-long">(
      "What becomes of a receive that a message longer than its buffer takes.");
  static constexpr Rule kBufferOrder =
      Call::template Open<"buffer-order">("In which order buffers are taken.");
  static constexpr auto kOpenBuffers = These(&kRangeOutside, &kRegionUsage, &kRegionForeign,
                                             &kZeroLength, &kMessageTooLong, &kBufferOrder);

  struct Arguments {
    const Handle* handle;
    const rpma_mr_local* dst;
    std::size_t offset;
    std::size_t len;
    const void* op_context;
  };

  static constexpr bool DstIsMissing(const Arguments& a) {
    return a.dst == nullptr && (a.offset != 0 || a.len != 0);
  }

  static constexpr Page Roles() {
    Page page = Call::Roles();
    page.post_after_error = nullptr;
    page.data_written = &kDataPlaced;
    page.data_bounds = &kDataBounds;
    page.always_success = &kCompleted;
    page.message_order = &kMessageOrder;
    page.length_whole = &kLengthWhole;
    page.range_outside = &kRangeOutside;
    page.region_usage = &kRegionUsage;
    page.region_foreign = &kRegionForeign;
    page.zero_length = &kZeroLength;
    page.message_too_long = &kMessageTooLong;
    page.completion_order = &kBufferOrder;
    return page;
  }
};

}  // namespace spec
