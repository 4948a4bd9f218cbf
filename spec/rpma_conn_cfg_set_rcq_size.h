// rpma_conn_cfg_set_rcq_size(3): how many completions the receive CQ of a connection holds; 0:
// there is none. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_conn_cfg_set_rcq_size {

using Set = SetFamily<"rpma_conn_cfg_set_rcq_size", "cfg", "rcq_size">;
inline constexpr const CallPage& kPage = Set::kPage;

}  // namespace spec::rpma_conn_cfg_set_rcq_size
