// rpma_peer_cfg_new(3): what a peer says about its platform, with default values. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_peer_cfg_new {

using New = NewFamily<"rpma_peer_cfg_new", "rpma_peer_cfg", "pcfg_ptr">;

// The default is that of a platform which declares nothing.
inline void Succeeded(model::Outcome& outcome) {
  if (model::Thing* cfg = outcome.Made(&New::kMade, 0, "rpma_peer_cfg"))
    cfg->numbers = {{"direct_write_to_pmem", 0}, {"desc_size", 1}};
}

inline constexpr CallPage kPage = New::PageWith(Succeeded);

}  // namespace spec::rpma_peer_cfg_new
