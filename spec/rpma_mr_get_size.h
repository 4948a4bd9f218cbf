// rpma_mr_get_size(3): the size of a memory region. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_mr_get_size {

using Get = GetFamily<"rpma_mr_get_size", "mr", "size", "size",
                      "*size becomes the number of bytes that were registered.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_mr_get_size
