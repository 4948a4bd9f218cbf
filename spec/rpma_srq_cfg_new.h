// rpma_srq_cfg_new(3): a configuration of a shared receive queue with default values. Pinned to
// librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_srq_cfg_new {

using New = NewFamily<"rpma_srq_cfg_new", "rpma_srq_cfg", "cfg_ptr">;

// The defaults, which its setters name as well.
inline void Succeeded(model::Outcome& outcome) {
  if (model::Thing* cfg = outcome.Made(&New::kMade, 0, "rpma_srq_cfg"))
    cfg->numbers = {{"rq_size", 100}, {"rcq_size", 100}};
}

inline constexpr CallPage kPage = New::PageWith(Succeeded);

}  // namespace spec::rpma_srq_cfg_new
