// rpma_srq_cfg_delete(3): the end of a configuration of a shared receive queue. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_srq_cfg_delete {

using Delete = DeleteFamily<"rpma_srq_cfg_delete", "cfg_ptr">;
inline constexpr const CallPage& kPage = Delete::kPage;

}  // namespace spec::rpma_srq_cfg_delete
