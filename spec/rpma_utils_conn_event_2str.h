// rpma_utils_conn_event_2str(3): a connection event as a text. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_utils_conn_event_2str {

constexpr bool IsEvent(std::int64_t value) {
  return value >= RPMA_CONN_UNDEFINED && value <= RPMA_CONN_UNREACHABLE;
}

using Texts = TextFamily<"rpma_utils_conn_event_2str", "connection event", IsEvent>;
inline constexpr const CallPage& kPage = Texts::kPage;

}  // namespace spec::rpma_utils_conn_event_2str
