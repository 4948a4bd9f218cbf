// rpma_send_with_imm(3): a message with four bytes more, which the other side finds in the
// completion of its receive. Pinned to librpma 1.3.0.
#pragma once

#include "spec/message_family.h"

namespace spec::rpma_send_with_imm {

using Send =
    MessageFamily<"rpma_send_with_imm", "A send with immediate data", "sends with immediate data">;
using Arguments = Send::Arguments;
inline constexpr auto& kErrors = Send::kErrors;

inline constexpr Rule kImmDelivered = Send::Must<"imm-delivered">(
    "DESCRIPTION",
    "The receive that a send with immediate data completes has IBV_WC_WITH_IMM set and finds imm, "
    "in network byte order, in imm_data.");

inline constexpr auto kRules =
    Together(These(&Send::kDataSent, &Send::kDataBounds, &Send::kReceiveCompleted, &kImmDelivered,
                   &Send::kLengthWhole, &Send::kZeroByte),
             Send::kCompletions, Send::kReturns, Send::kErrorRules, Send::kOpenFlags,
             Send::kOpenRegions, Send::kOpenOutcomes);

inline constexpr Page kPage = [] {
  Page page = Send::Roles();
  page.rules = kRules;
  page.imm_delivered = &kImmDelivered;
  return page;
}();

}  // namespace spec::rpma_send_with_imm
