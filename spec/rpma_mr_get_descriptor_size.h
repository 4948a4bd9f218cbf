// rpma_mr_get_descriptor_size(3): how many bytes rpma_mr_get_descriptor(3) writes. Pinned to
// librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_mr_get_descriptor_size {

using Get = GetFamily<"rpma_mr_get_descriptor_size", "mr", "desc_size", "desc_size",
                      "*desc_size becomes the size of a descriptor: 21 bytes.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_mr_get_descriptor_size
