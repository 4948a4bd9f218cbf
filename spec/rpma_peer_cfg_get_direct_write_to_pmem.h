// rpma_peer_cfg_get_direct_write_to_pmem(3): asks for what
// rpma_peer_cfg_set_direct_write_to_pmem(3) set. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_peer_cfg_get_direct_write_to_pmem {

using Get =
    GetFamily<"rpma_peer_cfg_get_direct_write_to_pmem", "pcfg", "supported", "direct_write_to_pmem",
              "*supported becomes what was declared: false, unless another was set.",
              /*kKeeps=*/false>;
inline constexpr const CallPage& kPage = Get::kPage;

}  // namespace spec::rpma_peer_cfg_get_direct_write_to_pmem
