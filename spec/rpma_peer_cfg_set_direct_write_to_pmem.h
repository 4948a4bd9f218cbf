// rpma_peer_cfg_set_direct_write_to_pmem(3): declares that a platform lets a device write directly
// to persistent memory. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_peer_cfg_set_direct_write_to_pmem {

using Set = SetFamily<"rpma_peer_cfg_set_direct_write_to_pmem", "pcfg", "direct_write_to_pmem">;
inline constexpr const CallPage& kPage = Set::kPage;

}  // namespace spec::rpma_peer_cfg_set_direct_write_to_pmem
