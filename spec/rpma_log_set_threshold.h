// rpma_log_set_threshold(3): which messages are dropped. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_log_set_threshold {

using F = FunctionFamily<"rpma_log_set_threshold">;

inline constexpr Rule kStored =
    F::Must<"stored">("DESCRIPTION", "What was set last is what the threshold is.");
inline constexpr Rule kSilences =
    F::Must<"silences">("DESCRIPTION", "A message above RPMA_LOG_THRESHOLD reaches no function.");
inline constexpr Rule kPasses = F::Must<"passes">(
    "DESCRIPTION", "A message that is not above RPMA_LOG_THRESHOLD reaches the function.");
inline constexpr Rule kStderr = F::Must<"stderr">(
    "THE DEFAULT LOGGING FUNCTION",
    "The library's own function writes messages to stderr that are above neither threshold.");
inline constexpr Rule kStderrSilent = F::Must<"stderr-silent">(
    "THE DEFAULT LOGGING FUNCTION",
    "The library's own function writes no message to stderr that is above a threshold.");
inline constexpr Rule kThresholdUnknown = F::Must<"threshold-unknown">(
    "ERRORS", "A call for none of the two thresholds is refused with RPMA_E_INVAL.");
inline constexpr Rule kLevelUnknown = F::Must<"level-unknown">(
    "ERRORS", "A call with a level outside its enumeration is refused with RPMA_E_INVAL.");

inline constexpr auto kRules =
    These(&kStored, &kSilences, &kPasses, &kStderr, &kStderrSilent, &F::kReturnValue, &F::kAccepted,
          &kThresholdUnknown, &kLevelUnknown);

inline bool NoThreshold(const Call& call) {
  const int threshold = static_cast<int>(call[0].word);
  return threshold != RPMA_LOG_THRESHOLD && threshold != RPMA_LOG_THRESHOLD_AUX;
}
inline constexpr Clause<Call> kErrors[] = {{&kThresholdUnknown, NoThreshold, RPMA_E_INVAL},
                                           {&kLevelUnknown,
                                            [](const Call& call) {
                                              const int level = static_cast<int>(call[1].word);
                                              return level < RPMA_LOG_DISABLED ||
                                                     level > RPMA_LOG_LEVEL_DEBUG;
                                            },
                                            RPMA_E_INVAL}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_AGAIN};

inline void Succeeded(model::Outcome& outcome) {
  model::Log& log = outcome.world().log;
  const int threshold = static_cast<int>(outcome[0].word);
  log.thresholds[threshold] = static_cast<int>(outcome[1].word);
  log.setters[threshold] = &kStored;
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_log_set_threshold
