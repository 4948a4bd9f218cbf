// rpma_conn_cfg_get_compl_channel(3): asks for what rpma_conn_cfg_set_compl_channel(3) set. Pinned
// to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_conn_cfg_get_compl_channel {

using Get = GetFamily<"rpma_conn_cfg_get_compl_channel", "cfg", "shared", "shared",
                      "*shared becomes what the configuration has: false, unless another was set.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_conn_cfg_get_compl_channel
