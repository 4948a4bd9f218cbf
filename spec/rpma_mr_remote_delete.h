// rpma_mr_remote_delete(3): the end of what is known of a remote memory region. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_mr_remote_delete {

using Delete = DeleteFamily<"rpma_mr_remote_delete", "mr_ptr">;
inline constexpr const CallPage& kPage = Delete::kPage;

}  // namespace spec::rpma_mr_remote_delete
