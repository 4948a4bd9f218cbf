// rpma_conn_cfg_get_timeout(3): asks for what rpma_conn_cfg_set_timeout(3) set. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_conn_cfg_get_timeout {

using Get = GetFamily<
    "rpma_conn_cfg_get_timeout", "cfg", "timeout_ms", "timeout_ms",
    "*timeout_ms becomes the timeout that the configuration has: 1000, unless another was set.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_conn_cfg_get_timeout
