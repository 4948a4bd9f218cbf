// rpma_srq_cfg_set_rq_size(3): how many receives a shared receive queue holds. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_srq_cfg_set_rq_size {

using Set = SetFamily<"rpma_srq_cfg_set_rq_size", "cfg", "rq_size">;
inline constexpr const CallPage& kPage = Set::kPage;

}  // namespace spec::rpma_srq_cfg_set_rq_size
