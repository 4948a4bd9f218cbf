// rpma_ep_get_fd(3): the descriptor of an endpoint. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_ep_get_fd {

using Get = DescriptorFamily<"rpma_ep_get_fd", "ep", "fd",
                             "*fd becomes the endpoint's descriptor, which can be read while a "
                             "connection request waits, and only then.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_ep_get_fd
