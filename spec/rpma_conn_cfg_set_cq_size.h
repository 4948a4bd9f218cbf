// rpma_conn_cfg_set_cq_size(3): how many completions the main CQ of a connection holds. Pinned to
// librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_conn_cfg_set_cq_size {

using Set = SetFamily<"rpma_conn_cfg_set_cq_size", "cfg", "cq_size">;
inline constexpr const CallPage& kPage = Set::kPage;

}  // namespace spec::rpma_conn_cfg_set_cq_size
