// rpma_mr_remote_from_descriptor(3): what is known of another peer's memory region. Pinned to
// librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_mr_remote_from_descriptor {

using F = FunctionFamily<"rpma_mr_remote_from_descriptor">;

inline constexpr std::size_t kSize = 21;  // of a descriptor

inline constexpr Rule kMade = F::Must<"made">("DESCRIPTION", "On success *mr_ptr is a new object.");
inline constexpr Rule kDecoded = F::Must<"decoded">(
    "DESCRIPTION", "The object has the size and the flush types that the descriptor tells, whole.");
inline constexpr Rule kSizeShort = F::Must<"desc-size-short">(
    "ERRORS", "A descriptor shorter than its own 21 bytes is refused with RPMA_E_INVAL.");
inline constexpr Rule kUsageZero = F::Must<"usage-zero">(
    "ERRORS",
    "A descriptor that allows nothing, and so describes no region, is refused with "
    "RPMA_E_NOSUPP.");
inline constexpr Rule kSizeLonger =
    F::Open<"desc-size-longer">("ERRORS", "What a descriptor with more bytes than its own gives.");
inline constexpr Rule kEmpty = F::Open<"region-empty">(
    "ERRORS", "What a descriptor of no bytes of memory, or of some that wrap around, gives.");

inline constexpr auto kRules = These(
    &kMade, &kDecoded, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"mr_ptr">, &F::kNull<"desc">,
    &F::kNull<"mr_ptr">, &kSizeShort, &kUsageZero, &F::kNoMemory, &kSizeLonger, &kEmpty);

// A number in the descriptor, which is little-endian.
inline std::uint64_t Field(const Call& call, std::size_t offset, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i)
    number |= std::uint64_t{call[0].before[offset + i]} << (8 * i);
  return number;
}
inline std::uint64_t Usage(const Call& call) { return Field(call, 20, 1); }
inline std::uint64_t Length(const Call& call) { return Field(call, 8, 8); }

inline constexpr Clause<Call> kErrors[] = {
    WhenNull<0>(&F::kNull<"desc">),
    WhenNull<2>(&F::kNull<"mr_ptr">),
    {&kSizeShort, [](const Call& call) { return call[1].word < kSize; }, RPMA_E_INVAL},
    {&kUsageZero,
     [](const Call& call) { return !call[0].null() && call[1].word >= kSize && Usage(call) == 0; },
     RPMA_E_NOSUPP}};
inline constexpr FaultClause kFaults[] = {{"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM}};
inline constexpr OpenCase kOpen[] = {
    {&kSizeLonger, [](const Call& call) { return call[1].word > kSize; }},
    {&kEmpty, [](const Call& call) {
       return Length(call) == 0 || Field(call, 0, 8) + Length(call) < Length(call);
     }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOSUPP, RPMA_E_NOMEM};

inline void Succeeded(model::Outcome& outcome) {
  constexpr std::uint64_t kFlushTypes =
      RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY | RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT;
  model::Thing* mr = outcome.Made(&kMade, 2, "rpma_mr_remote");
  if (mr == nullptr) return;
  const std::uint64_t size = Length(outcome.call());
  const std::uint64_t flush_type = Usage(outcome.call()) & kFlushTypes;
  mr->numbers = {{"size", size}, {"flush_type", flush_type}};
  // A getter that cannot get the plain values is broken itself; the rest may have been lost before.
  if (size > UINT32_MAX) mr->setters["size"] = &kDecoded;
  if (flush_type == kFlushTypes) mr->setters["flush_type"] = &kDecoded;
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .open = kOpen,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"mr_ptr">,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_mr_remote_from_descriptor
