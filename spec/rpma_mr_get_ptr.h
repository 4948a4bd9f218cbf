// rpma_mr_get_ptr(3): the address of a memory region. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_mr_get_ptr {

using Get = GetFamily<"rpma_mr_get_ptr", "mr", "ptr", "ptr",
                      "*ptr becomes the address that was registered.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_mr_get_ptr
