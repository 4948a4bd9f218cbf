// rpma_mr_advise(3): how a part of a memory region will be used. Pinned to librpma 1.3.0.
#pragma once

#include <cerrno>

#include "spec/call_families.h"

namespace spec::rpma_mr_advise {

using F = FunctionFamily<"rpma_mr_advise">;

inline constexpr Rule kRange = F::Must<"range">(
    "ERRORS", "A range that is not inside the region is refused with RPMA_E_INVAL.");
inline constexpr Rule kOutside = F::Must<"outside">(
    "ERRORS", "A range that ibv_advise_mr finds outside, with EFAULT, gives RPMA_E_INVAL.");
inline constexpr Rule kUsage = F::Must<"usage">(
    "ERRORS",
    "An advice that the region's usage does not allow, EPERM or ENOENT of ibv_advise_mr, gives "
    "RPMA_E_INVAL.");
inline constexpr Rule kFlags = F::Must<"flags">(
    "ERRORS", "Flags that are invalid, EINVAL of ibv_advise_mr, give RPMA_E_INVAL.");
inline constexpr Rule kUnsupported =
    F::Must<"unsupported">("ERRORS",
                           "What the system does not support, EOPNOTSUPP of ibv_advise_mr, gives "
                           "RPMA_E_NOSUPP.");
inline constexpr Rule kProvider = F::Must<"provider">(
    "ERRORS", "When ibv_advise_mr fails for another reason the call returns RPMA_E_PROVIDER.");
inline constexpr Rule kTaken =
    F::Open<"taken">("DESCRIPTION", "Whether the system takes an advice that nothing forbids.");
inline constexpr Rule kMrNull = F::Should<"mr-null">(
    "ERRORS", model::Sight::kRefusedInval, "A call without mr is refused with RPMA_E_INVAL.");

inline constexpr auto kRules = These(&F::kReturnValue, &kRange, &kOutside, &kUsage, &kFlags,
                                     &kUnsupported, &kProvider, &kTaken, &kMrNull);
inline constexpr Clause<Call> kErrors[] = {
    {&kRange,
     [](const Call& call) {
       if (call[0].thing == nullptr) return false;
       const std::uint64_t size = call[0].thing->number("size");
       return call[1].word > size || call[2].word > size - call[1].word;
     },
     RPMA_E_INVAL}};
inline constexpr FaultClause kFaults[] = {
    {"ibv_advise_mr", EFAULT, &kOutside, RPMA_E_INVAL},
    {"ibv_advise_mr", EPERM, &kUsage, RPMA_E_INVAL},
    {"ibv_advise_mr", ENOENT, &kUsage, RPMA_E_INVAL},
    {"ibv_advise_mr", EINVAL, &kFlags, RPMA_E_INVAL},
    {"ibv_advise_mr", EOPNOTSUPP, &kUnsupported, RPMA_E_NOSUPP},
    {"ibv_advise_mr", 0, &kProvider, RPMA_E_PROVIDER}};
inline constexpr OpenCase kOpen[] = {{&kMrNull, [](const Call& call) { return call[0].null(); }},
                                     {&kTaken, [](const Call&) { return true; }}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOSUPP, RPMA_E_PROVIDER};

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .faults = kFaults,
                                .open = kOpen,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue};

}  // namespace spec::rpma_mr_advise
