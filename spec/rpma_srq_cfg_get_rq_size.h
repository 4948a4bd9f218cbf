// rpma_srq_cfg_get_rq_size(3): asks for what rpma_srq_cfg_set_rq_size(3) set. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_srq_cfg_get_rq_size {

using Get =
    GetFamily<"rpma_srq_cfg_get_rq_size", "cfg", "rq_size", "rq_size",
              "*rq_size becomes the size that the configuration has: 100, unless another was set.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_srq_cfg_get_rq_size
