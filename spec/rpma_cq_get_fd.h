// rpma_cq_get_fd(3): the descriptor of a completion queue. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_cq_get_fd {

using Get = DescriptorFamily<"rpma_cq_get_fd", "cq", "fd",
                             "*fd becomes the queue's descriptor, which can be read while a "
                             "completion event waits, and only then.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_cq_get_fd
