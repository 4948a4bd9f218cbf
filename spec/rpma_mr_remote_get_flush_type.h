// rpma_mr_remote_get_flush_type(3): which flushes a remote memory region allows. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_mr_remote_get_flush_type {

using Get = GetFamily<"rpma_mr_remote_get_flush_type", "mr", "flush_type", "flush_type",
                      "*flush_type becomes the flush types that the descriptor told, as "
                      "RPMA_MR_USAGE_FLUSH_TYPE_ bits.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_mr_remote_get_flush_type
