// rpma_atomic_write(3): eight bytes from the caller's memory to remote memory, at once. Pinned to
// librpma 1.3.0.
#pragma once

#include <librpma.h>

#include <array>

#include "spec/page.h"
#include "spec/rule.h"

namespace spec::rpma_atomic_write {

inline constexpr std::string_view kPageName = "rpma_atomic_write(3)";

// DESCRIPTION
inline constexpr Rule kDataWritten{
    "rpma_atomic_write.data-written", kPageName, "DESCRIPTION", Force::kMust,
    "After a successful atomic write the 8 bytes at dst_offset are the caller's 8 bytes."};
inline constexpr Rule kDataBounds{"rpma_atomic_write.data-bounds", kPageName, "DESCRIPTION",
                                  Force::kMust,
                                  "An atomic write changes no byte outside its 8 target bytes."};
inline constexpr Rule kUntorn{
    "rpma_atomic_write.untorn", kPageName, "DESCRIPTION", Force::kMust,
    "Whoever reads the 8 target bytes sees the old or the new value, never a mix of both."};
inline constexpr Rule kSourceReuse{
    "rpma_atomic_write.source-reuse", kPageName, "SYNOPSIS", Force::kMust,
    "The caller's 8 bytes, in no registered region, are free for reuse when the call returns."};
inline constexpr Rule kOnErrorSilent{
    "rpma_atomic_write.on-error-silent", kPageName, "DESCRIPTION", Force::kMust,
    "An atomic write posted with ON_ERROR that succeeds yields no completion."};
inline constexpr Rule kOnErrorReports{"rpma_atomic_write.on-error-reports", kPageName,
                                      "DESCRIPTION", Force::kMust,
                                      "An atomic write posted with ON_ERROR that fails yields "
                                      "exactly one completion, with an error status."};
inline constexpr Rule kAlwaysSuccess{"rpma_atomic_write.always-success", kPageName, "DESCRIPTION",
                                     Force::kMust,
                                     "An atomic write posted with ALWAYS that succeeds yields "
                                     "exactly one completion, with status success."};
inline constexpr Rule kAlwaysFailure{"rpma_atomic_write.always-failure", kPageName, "DESCRIPTION",
                                     Force::kMust,
                                     "An atomic write posted with ALWAYS that fails yields exactly "
                                     "one completion, with an error status."};
inline constexpr Rule kOpContext{
    "rpma_atomic_write.op-context", kPageName, "DESCRIPTION", Force::kMust,
    "A completion of an atomic write carries its op_context in wr_id."};

// RETURN VALUE
inline constexpr Rule kReturnValue{
    "rpma_atomic_write.return-value", kPageName, "RETURN VALUE", Force::kMust,
    "The call returns 0 or a negative error code that the page lists, and nothing else."};
inline constexpr Rule kAccepted{
    "rpma_atomic_write.accepted", kPageName, "RETURN VALUE", Force::kMust,
    "An atomic write that no clause of ERRORS forbids is accepted on a working connection."};
inline constexpr Rule kRefusedNoEffect{
    "rpma_atomic_write.refused-no-effect", kPageName, "RETURN VALUE", Force::kMust,
    "A call that returns an error posts nothing, yields no completion and changes no memory."};
inline constexpr Rule kUsableAfterRefusal{"rpma_atomic_write.usable-after-refusal", kPageName,
                                          "RETURN VALUE", Force::kMust,
                                          "After a refused call the connection works as before."};
inline constexpr Rule kQueueDepth{
    "rpma_atomic_write.queue-depth", "librpma(7)", "QUEUES, PERFORMANCE AND RESOURCE USE",
    Force::kMust,
    "As many atomic writes as the send queue was configured for may be outstanding at once."};

// ERRORS
inline constexpr Rule kConnNull{
    "rpma_atomic_write.conn-null", kPageName, "ERRORS", Force::kMust,
    "An atomic write without a connection is refused with RPMA_E_INVAL."};
inline constexpr Rule kDstNull{"rpma_atomic_write.dst-null", kPageName, "ERRORS", Force::kMust,
                               "An atomic write without dst is refused with RPMA_E_INVAL."};
inline constexpr Rule kSrcNull{"rpma_atomic_write.src-null", kPageName, "ERRORS", Force::kMust,
                               "An atomic write without src is refused with RPMA_E_INVAL."};
inline constexpr Rule kDstOffsetUnaligned{
    "rpma_atomic_write.dst-offset-unaligned", kPageName, "ERRORS", Force::kMust,
    "An atomic write whose dst_offset is not a multiple of 8 is refused with RPMA_E_INVAL."};
inline constexpr Rule kFlagsZero{
    "rpma_atomic_write.flags-zero", kPageName, "ERRORS", Force::kMust,
    "An atomic write with no completion flag is refused with RPMA_E_INVAL."};
inline constexpr Rule kPostFailed{
    "rpma_atomic_write.post-failed", kPageName, "ERRORS", Force::kMust,
    "An atomic write whose ibv_post_send fails returns RPMA_E_PROVIDER."};

// What the page leaves open.
inline constexpr Rule kFlagsUndefined{"rpma_atomic_write.flags-undefined", kPageName, "DESCRIPTION",
                                      Force::kUnspecified,
                                      "What flags with bits that no constant defines mean."};
inline constexpr Rule kFlagsBit1Alone{
    "rpma_atomic_write.flags-bit-1-alone", kPageName, "DESCRIPTION", Force::kUnspecified,
    "What the bit that ALWAYS has and ON_ERROR has not means alone."};
inline constexpr Rule kRangeOutside{
    "rpma_atomic_write.range-outside", kPageName, "DESCRIPTION", Force::kUnspecified,
    "How an atomic write fails whose 8 bytes leave the remote region."};
inline constexpr Rule kRegionUsage{
    "rpma_atomic_write.region-usage", kPageName, "DESCRIPTION", Force::kUnspecified,
    "What an atomic write to a region registered without WRITE_DST does."};
inline constexpr Rule kRegionForeign{"rpma_atomic_write.region-foreign", kPageName, "DESCRIPTION",
                                     Force::kUnspecified,
                                     "What an atomic write to a region of another peer does."};
inline constexpr Rule kRegionStale{
    "rpma_atomic_write.region-stale", kPageName, "DESCRIPTION", Force::kUnspecified,
    "What an atomic write to a region that its owner has deregistered does."};
inline constexpr Rule kRegionUnaligned{
    "rpma_atomic_write.region-unaligned", kPageName, "DESCRIPTION", Force::kUnspecified,
    "What an atomic write does whose dst_offset is a multiple of 8 in a region whose base is not."};
inline constexpr Rule kPostAfterError{
    "rpma_atomic_write.post-after-error", kPageName, "DESCRIPTION", Force::kUnspecified,
    "What an atomic write on a connection that an earlier error has broken does."};
inline constexpr Rule kCompletionOrder{"rpma_atomic_write.completion-order", kPageName,
                                       "DESCRIPTION", Force::kUnspecified,
                                       "In which order atomic writes of one connection complete."};

struct Arguments {
  const rpma_conn* conn;
  const rpma_mr_remote* dst;
  std::size_t dst_offset;
  const char* src;
  int flags;
};

inline constexpr std::array<Clause<Arguments>, 5> kErrors{{
    {&kConnNull, [](const Arguments& a) { return a.conn == nullptr; }, RPMA_E_INVAL},
    {&kDstNull, [](const Arguments& a) { return a.dst == nullptr; }, RPMA_E_INVAL},
    {&kSrcNull, [](const Arguments& a) { return a.src == nullptr; }, RPMA_E_INVAL},
    {&kDstOffsetUnaligned,
     [](const Arguments& a) { return a.dst_offset % RPMA_ATOMIC_WRITE_ALIGNMENT != 0; },
     RPMA_E_INVAL},
    {&kFlagsZero, [](const Arguments& a) { return a.flags == 0; }, RPMA_E_INVAL},
}};

inline constexpr std::array kRules{&kDataWritten,
                                   &kDataBounds,
                                   &kUntorn,
                                   &kSourceReuse,
                                   &kOnErrorSilent,
                                   &kOnErrorReports,
                                   &kAlwaysSuccess,
                                   &kAlwaysFailure,
                                   &kOpContext,
                                   &kReturnValue,
                                   &kAccepted,
                                   &kRefusedNoEffect,
                                   &kUsableAfterRefusal,
                                   &kQueueDepth,
                                   &kConnNull,
                                   &kDstNull,
                                   &kSrcNull,
                                   &kDstOffsetUnaligned,
                                   &kFlagsZero,
                                   &kPostFailed,
                                   &kFlagsUndefined,
                                   &kFlagsBit1Alone,
                                   &kRangeOutside,
                                   &kRegionUsage,
                                   &kRegionForeign,
                                   &kRegionStale,
                                   &kRegionUnaligned,
                                   &kPostAfterError,
                                   &kCompletionOrder};

inline constexpr Page kPage{
    .function = "rpma_atomic_write",
    .rules = kRules,
    .zero_byte = nullptr,
    .length_whole = nullptr,
    .untorn = &kUntorn,
    .source_reuse = &kSourceReuse,
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
    .region_unaligned = &kRegionUnaligned,
    .zero_length = nullptr,
    .post_after_error = &kPostAfterError,
    .completion_order = &kCompletionOrder,
};

}  // namespace spec::rpma_atomic_write
