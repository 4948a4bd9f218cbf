// rpma_log_get_threshold(3): asks for what rpma_log_set_threshold(3) set. Pinned to librpma 1.3.0.
#pragma once

#include "spec/rpma_log_set_threshold.h"

namespace spec::rpma_log_get_threshold {

using F = FunctionFamily<"rpma_log_get_threshold">;

inline constexpr Rule kValue = F::Must<"value">(
    "DESCRIPTION",
    "*level becomes the level of the threshold: the main one's is WARNING and the auxiliary one's "
    "DISABLED, unless another was set.");
inline constexpr Rule kThresholdUnknown = F::Must<"threshold-unknown">(
    "ERRORS", "A call for none of the two thresholds is refused with RPMA_E_INVAL.");

inline constexpr auto kRules =
    These(&kValue, &F::kReturnValue, &F::kAccepted, &kThresholdUnknown, &F::kNull<"level">);
inline constexpr Clause<Call> kErrors[] = {
    {&kThresholdUnknown, rpma_log_set_threshold::NoThreshold, RPMA_E_INVAL},
    WhenNull<1>(&F::kNull<"level">)};

inline void Succeeded(model::Outcome& outcome) {
  const model::Log& log = outcome.world().log;
  const int threshold = static_cast<int>(outcome[0].word);
  const auto setter = log.setters.find(threshold);
  outcome.ExpectOut(&kValue, 1, static_cast<std::uint32_t>(log.thresholds.at(threshold)),
                    setter == log.setters.end() ? nullptr : setter->second);
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .codes = kInval,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_log_get_threshold
