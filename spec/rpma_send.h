// rpma_send(3): a message to a receive of the other side. Pinned to librpma 1.3.0.
#pragma once

#include "spec/message_family.h"

namespace spec::rpma_send {

using Send = MessageFamily<"rpma_send", "A send", "sends">;
using Arguments = Send::Arguments;
inline constexpr auto& kErrors = Send::kErrors;

inline constexpr auto kRules =
    Together(These(&Send::kDataSent, &Send::kDataBounds, &Send::kReceiveCompleted,
                   &Send::kLengthWhole, &Send::kZeroByte),
             Send::kCompletions, Send::kReturns, Send::kErrorRules, Send::kOpenFlags,
             Send::kOpenRegions, Send::kOpenOutcomes);

inline constexpr Page kPage = [] {
  Page page = Send::Roles();
  page.rules = kRules;
  return page;
}();

}  // namespace spec::rpma_send
