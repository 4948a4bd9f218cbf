// rpma_write(3): a one-sided write from local to remote memory. Pinned to librpma 1.3.0.
#pragma once

#include <librpma.h>

#include <array>

#include "spec/page.h"
#include "spec/rule.h"

namespace spec::rpma_write {

inline constexpr std::string_view kPageName = "rpma_write(3)";

// DESCRIPTION
inline constexpr Rule kDataWritten{
    "rpma_write.data-written", kPageName, "DESCRIPTION", Force::kMust,
    "After a successful write the len bytes at dst_offset are the source's bytes at src_offset."};
inline constexpr Rule kDataBounds{"rpma_write.data-bounds", kPageName, "DESCRIPTION", Force::kMust,
                                  "A write changes no byte outside its target range."};
inline constexpr Rule kLengthWhole{"rpma_write.length-whole", kPageName, "DESCRIPTION",
                                   Force::kMust,
                                   "A write never reports success for a length it did not carry: a "
                                   "length that cannot be carried is refused with a "
                                   "code of the page or ends in an error completion."};
inline constexpr Rule kZeroByte{"rpma_write.zero-byte", kPageName, "DESCRIPTION", Force::kMust,
                                "With dst and src NULL and both offsets and len 0 a write is a "
                                "real message: accepted, and completed like any other."};
inline constexpr Rule kOnErrorSilent{
    "rpma_write.on-error-silent", kPageName, "DESCRIPTION", Force::kMust,
    "A write posted with ON_ERROR that succeeds yields no completion."};
inline constexpr Rule kOnErrorReports{
    "rpma_write.on-error-reports", kPageName, "DESCRIPTION", Force::kMust,
    "A write posted with ON_ERROR that fails yields exactly one completion, with an error status."};
inline constexpr Rule kAlwaysSuccess{
    "rpma_write.always-success", kPageName, "DESCRIPTION", Force::kMust,
    "A write posted with ALWAYS that succeeds yields exactly one completion, with status success."};
inline constexpr Rule kAlwaysFailure{
    "rpma_write.always-failure", kPageName, "DESCRIPTION", Force::kMust,
    "A write posted with ALWAYS that fails yields exactly one completion, with an error status."};
inline constexpr Rule kOpContext{"rpma_write.op-context", kPageName, "DESCRIPTION", Force::kMust,
                                 "A completion of a write carries its op_context in wr_id."};

// RETURN VALUE
inline constexpr Rule kReturnValue{
    "rpma_write.return-value", kPageName, "RETURN VALUE", Force::kMust,
    "The call returns 0 or a negative error code that the page lists, and nothing else."};
inline constexpr Rule kAccepted{
    "rpma_write.accepted", kPageName, "RETURN VALUE", Force::kMust,
    "A write that no clause of ERRORS forbids is accepted on a working connection."};
inline constexpr Rule kRefusedNoEffect{
    "rpma_write.refused-no-effect", kPageName, "RETURN VALUE", Force::kMust,
    "A call that returns an error posts nothing, yields no completion and changes no memory."};
inline constexpr Rule kUsableAfterRefusal{"rpma_write.usable-after-refusal", kPageName,
                                          "RETURN VALUE", Force::kMust,
                                          "After a refused call the connection works as before."};
inline constexpr Rule kQueueDepth{
    "rpma_write.queue-depth", "librpma(7)", "QUEUES, PERFORMANCE AND RESOURCE USE", Force::kMust,
    "As many writes as the send queue was configured for may be outstanding at once."};

// ERRORS
inline constexpr Rule kConnNull{"rpma_write.conn-null", kPageName, "ERRORS", Force::kMust,
                                "A write without a connection is refused with RPMA_E_INVAL."};
inline constexpr Rule kFlagsZero{"rpma_write.flags-zero", kPageName, "ERRORS", Force::kMust,
                                 "A write with no completion flag is refused with RPMA_E_INVAL."};
inline constexpr Rule kDstNull{"rpma_write.dst-null", kPageName, "ERRORS", Force::kMust,
                               "A write without dst is refused with RPMA_E_INVAL, unless src is "
                               "NULL and both offsets and len are 0."};
inline constexpr Rule kSrcNull{"rpma_write.src-null", kPageName, "ERRORS", Force::kMust,
                               "A write without src is refused with RPMA_E_INVAL, unless dst is "
                               "NULL and both offsets and len are 0."};
inline constexpr Rule kPostFailed{"rpma_write.post-failed", kPageName, "ERRORS", Force::kMust,
                                  "A write whose ibv_post_send fails returns RPMA_E_PROVIDER."};

// What the page leaves open.
inline constexpr Rule kFlagsUndefined{"rpma_write.flags-undefined", kPageName, "DESCRIPTION",
                                      Force::kUnspecified,
                                      "What flags with bits that no constant defines mean."};
inline constexpr Rule kFlagsBit1Alone{
    "rpma_write.flags-bit-1-alone", kPageName, "DESCRIPTION", Force::kUnspecified,
    "What the bit that ALWAYS has and ON_ERROR has not means alone."};
inline constexpr Rule kRangeOutside{
    "rpma_write.range-outside", kPageName, "DESCRIPTION", Force::kUnspecified,
    "How a write fails whose range leaves the local or the remote region."};
inline constexpr Rule kRegionUsage{"rpma_write.region-usage", kPageName, "DESCRIPTION",
                                   Force::kUnspecified,
                                   "What a write to a region registered without WRITE_DST does."};
inline constexpr Rule kRegionForeign{"rpma_write.region-foreign", kPageName, "DESCRIPTION",
                                     Force::kUnspecified,
                                     "What a write with a region of another peer does."};
inline constexpr Rule kRegionStale{
    "rpma_write.region-stale", kPageName, "DESCRIPTION", Force::kUnspecified,
    "What a write to a region that its owner has deregistered does."};
inline constexpr Rule kZeroLength{
    "rpma_write.zero-length", kPageName, "DESCRIPTION", Force::kUnspecified,
    "What a write of length 0 between two regions, at any offset, does."};
inline constexpr Rule kPostAfterError{
    "rpma_write.post-after-error", kPageName, "DESCRIPTION", Force::kUnspecified,
    "What a write on a connection that an earlier error has broken does."};
inline constexpr Rule kCompletionOrder{"rpma_write.completion-order", kPageName, "DESCRIPTION",
                                       Force::kUnspecified,
                                       "In which order writes of one connection complete."};

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

constexpr bool IsZeroByteForm(const Arguments& a) {
  return a.dst == nullptr && a.src == nullptr && !AnyNumber(a);
}

inline constexpr std::array<Clause<Arguments>, 4> kErrors{{
    {&kConnNull, [](const Arguments& a) { return a.conn == nullptr; }, RPMA_E_INVAL},
    {&kFlagsZero, [](const Arguments& a) { return a.flags == 0; }, RPMA_E_INVAL},
    {&kDstNull,
     [](const Arguments& a) { return a.dst == nullptr && (a.src != nullptr || AnyNumber(a)); },
     RPMA_E_INVAL},
    {&kSrcNull,
     [](const Arguments& a) { return a.src == nullptr && (a.dst != nullptr || AnyNumber(a)); },
     RPMA_E_INVAL},
}};

inline constexpr std::array kRules{&kDataWritten,        &kDataBounds,     &kLengthWhole,
                                   &kZeroByte,           &kOnErrorSilent,  &kOnErrorReports,
                                   &kAlwaysSuccess,      &kAlwaysFailure,  &kOpContext,
                                   &kReturnValue,        &kAccepted,       &kRefusedNoEffect,
                                   &kUsableAfterRefusal, &kQueueDepth,     &kConnNull,
                                   &kFlagsZero,          &kDstNull,        &kSrcNull,
                                   &kPostFailed,         &kFlagsUndefined, &kFlagsBit1Alone,
                                   &kRangeOutside,       &kRegionUsage,    &kRegionForeign,
                                   &kRegionStale,        &kZeroLength,     &kPostAfterError,
                                   &kCompletionOrder};

inline constexpr Page kPage{
    .function = "rpma_write",
    .rules = kRules,
    .zero_byte = &kZeroByte,
    .length_whole = &kLengthWhole,
    .untorn = nullptr,
    .source_reuse = nullptr,
    .data_written = &kDataWritten,
    .data_bounds = &kDataBounds,
    .on_error_silent = &kOnErrorSilent,
    .on_error_reports = &kOnErrorReports,
    .always_success = &kAlwaysSuccess,
    .always_failure = &kAlwaysFailure,
    .op_context = &kOpContext,
    .return_value = &kReturnValue,
    .accepted = &kAccepted,
    .queue_depth = &kQueueDepth,
    .post_failed = &kPostFailed,
    .refused_no_effect = &kRefusedNoEffect,
    .usable_after_refusal = &kUsableAfterRefusal,
    .flags_undefined = &kFlagsUndefined,
    .flags_bit_1_alone = &kFlagsBit1Alone,
    .range_outside = &kRangeOutside,
    .region_usage = &kRegionUsage,
    .region_foreign = &kRegionForeign,
    .region_stale = &kRegionStale,
    .region_unaligned = nullptr,
    .zero_length = &kZeroLength,
    .post_after_error = &kPostAfterError,
    .completion_order = &kCompletionOrder,
};

}  // namespace spec::rpma_write
