// rpma_conn_get_event_fd(3): the descriptor of a connection's events. Pinned to librpma 1.3.0.
#pragma once

#include "spec/connection_families.h"

namespace spec::rpma_conn_get_event_fd {

using Get = DescriptorFamily<"rpma_conn_get_event_fd", "conn", "fd",
                             "*fd becomes the connection's event descriptor, which can be read "
                             "while an event waits, and only then.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_conn_get_event_fd
