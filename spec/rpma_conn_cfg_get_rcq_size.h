// rpma_conn_cfg_get_rcq_size(3): asks for what rpma_conn_cfg_set_rcq_size(3) set. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_conn_cfg_get_rcq_size {

using Get =
    GetFamily<"rpma_conn_cfg_get_rcq_size", "cfg", "rcq_size", "rcq_size",
              "*rcq_size becomes the size that the configuration has: 0, unless another was set.">;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_conn_cfg_get_rcq_size
