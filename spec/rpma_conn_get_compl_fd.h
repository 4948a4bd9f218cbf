// rpma_conn_get_compl_fd(3): the descriptor of a completion channel that both queues share. Pinned
// to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_get_compl_fd {

using Get = DescriptorFamily<"rpma_conn_get_compl_fd", "conn", "compl_fd",
                             "*fd becomes the descriptor of the shared completion channel, which "
                             "can be read while a completion event waits, and only then.">;
using F = Get::F;

inline constexpr Rule kNotShared = F::Must<"not-shared">(
    "ERRORS", "A connection without a shared completion channel has none: RPMA_E_NOT_SHARED_CHNL.");

inline constexpr auto kRules = Together(Get::kRules, These(&kNotShared));

inline constexpr Clause<Call> kErrors[] = {Get::kErrors[0],
                                           Get::kErrors[1],
                                           {&kNotShared,
                                            [](const Call& call) {
                                              return call[0].thing != nullptr && !call[1].null() &&
                                                     call[0].thing->number("shared") == 0;
                                            },
                                            RPMA_E_NOT_SHARED_CHNL}};
inline constexpr int kCodes[] = {RPMA_E_INVAL, RPMA_E_NOT_SHARED_CHNL};

inline constexpr CallPage kPage{.function = F::kName,
                                .rules = kRules,
                                .errors = kErrors,
                                .codes = kCodes,
                                .return_value = &F::kReturnValue,
                                .accepted = &F::kAccepted,
                                .untouched = &F::kUntouched<"fd">,
                                .succeeded = Get::Succeeded};

}  // namespace spec::rpma_conn_get_compl_fd
