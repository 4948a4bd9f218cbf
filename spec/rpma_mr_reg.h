// rpma_mr_reg(3): registers memory with a peer. Pinned to librpma 1.3.0.
#pragma once

#include <cerrno>

#include "spec/call_families.h"

namespace spec::rpma_mr_reg {

using F = FunctionFamily<"rpma_mr_reg">;

inline constexpr Rule kMade =
    F::Must<"made">("DESCRIPTION", "On success *mr_ptr is a new memory region.");
inline constexpr Rule kReleases =
    F::Must<"releases">("RETURN VALUE", "A call that fails leaves no registration behind.");
inline constexpr Rule kSizeZero =
    F::Must<"size-zero">("ERRORS", "A call for no bytes is refused with RPMA_E_INVAL.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS", "When the memory cannot be registered the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kUsageZero =
    F::Should<"usage-zero">("ERRORS", model::Sight::kRefusedInval,
                            "A call without any usage is refused with RPMA_E_INVAL.");
inline constexpr Rule kUsageUndefined = F::Should<"usage-undefined">(
    "ERRORS", model::Sight::kRefusedInval,
    "A usage with bits that no constant defines is refused with RPMA_E_INVAL.");
inline constexpr Rule kNotPinned = F::Open<"not-pinned">(
    "ERRORS",
    "What a registration that fails with EOPNOTSUPP, which pages on demand may replace, "
    "gives.");

inline constexpr auto kRules =
    These(&kMade, &F::kReturnValue, &F::kAccepted, &F::kUntouched<"mr_ptr">, &kReleases,
          &F::kNull<"peer">, &F::kNull<"ptr">, &F::kNull<"mr_ptr">, &kSizeZero, &F::kNoMemory,
          &kProvider, &kUsageZero, &kUsageUndefined, &kNotPinned);

// No process has that much memory.
inline constexpr std::uint64_t kTooMuch = std::uint64_t{1} << 47;
inline constexpr int kAllUsages = 0xff;

inline constexpr Clause<Call> kErrors[] = {
    WhenNull<0>(&F::kNull<"peer">),
    WhenNull<1>(&F::kNull<"ptr">),
    {&kSizeZero, [](const Call& call) { return call[2].word == 0; }, RPMA_E_INVAL},
    WhenNull<4>(&F::kNull<"mr_ptr">),
    {&kProvider, [](const Call& call) { return call[2].word >= kTooMuch; }, RPMA_E_PROVIDER}};
inline constexpr FaultClause kFaults[] = {{"malloc", 0, &F::kNoMemory, RPMA_E_NOMEM},
                                          {"ibv_reg_mr", EOPNOTSUPP, &kNotPinned, RPMA_E_PROVIDER},
                                          {"ibv_reg_mr", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {
    {&kUsageZero, [](const Call& call) { return static_cast<int>(call[3].word) == 0; }},
    {&kUsageUndefined,
     [](const Call& call) { return (static_cast<int>(call[3].word) & ~kAllUsages) != 0; }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOMEM, RPMA_E_PROVIDER};

inline void Succeeded(model::Outcome& outcome) {
  model::Thing* mr = outcome.Made(&kMade, 4, "rpma_mr_local");
  if (mr == nullptr) return;
  mr->things["rpma_peer"] = outcome[0].thing;
  mr->numbers = {{"ptr", outcome[1].word},
                 {"size", outcome[2].word},
                 {"usage", outcome[3].word},
                 {"desc_size", 21}};
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
                                .releases = &kReleases,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_mr_reg
