// rpma_conn_cfg_set_sq_size(3): how many operations a connection may have outstanding. Pinned to
// librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_conn_cfg_set_sq_size {

using Set = SetFamily<"rpma_conn_cfg_set_sq_size", "cfg", "sq_size">;
inline constexpr const CallPage& kPage = Set::kPage;

}  // namespace spec::rpma_conn_cfg_set_sq_size
