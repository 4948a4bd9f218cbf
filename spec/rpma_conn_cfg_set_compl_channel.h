// rpma_conn_cfg_set_compl_channel(3): whether the two CQs of a connection share a completion
// channel. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_conn_cfg_set_compl_channel {

using Set = SetFamily<"rpma_conn_cfg_set_compl_channel", "cfg", "shared">;
inline constexpr const CallPage& kPage = Set::kPage;

}  // namespace spec::rpma_conn_cfg_set_compl_channel
