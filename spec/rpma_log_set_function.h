// rpma_log_set_function(3): which function gets the library's messages. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_log_set_function {

using F = FunctionFamily<"rpma_log_set_function">;

inline constexpr Rule kCalled = F::Must<"called">(
    "DESCRIPTION",
    "The function that was set gets the messages: at the debug level at least one about a call "
    "that returns RPMA_E_PROVIDER.");
inline constexpr Rule kReplaced = F::Must<"replaced">(
    "DESCRIPTION",
    "A function that is set takes the place of the one before: that one, or stderr, gets nothing "
    "more.");
inline constexpr Rule kArguments = F::Must<"arguments">(
    "DESCRIPTION",
    "A message comes with a level of the enumeration, a format whose text is not empty, and a "
    "file with line and function, or no file.");

inline constexpr auto kRules =
    These(&kCalled, &kReplaced, &kArguments, &F::kReturnValue, &F::kAccepted);
inline constexpr int kCodes[] = {RPMA_E_AGAIN};

// Handles of the caller's functions are their numbers, as the environment gave them.
inline void Succeeded(model::Outcome& outcome) {
  model::Log& log = outcome.world().log;
  log.listener = outcome[0].listener;
  log.ever_listened = log.ever_listened || log.listener != 0;
}

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .succeeded = Succeeded};

}  // namespace spec::rpma_log_set_function
