// rpma_peer_cfg_delete(3): the end of a peer configuration. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_peer_cfg_delete {

using Delete = DeleteFamily<"rpma_peer_cfg_delete", "pcfg_ptr">;
inline constexpr const CallPage& kPage = Delete::kPage;

}  // namespace spec::rpma_peer_cfg_delete
