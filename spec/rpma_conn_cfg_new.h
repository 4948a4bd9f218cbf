// rpma_conn_cfg_new(3): a connection configuration with default values. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_conn_cfg_new {

using New = NewFamily<"rpma_conn_cfg_new", "rpma_conn_cfg", "cfg_ptr">;

// The defaults are those that the pages of the setters name.
inline void Succeeded(model::Outcome& outcome) {
  if (model::Thing* cfg = outcome.Made(&New::kMade, 0, "rpma_conn_cfg"))
    cfg->numbers = {{"timeout_ms", RPMA_DEFAULT_TIMEOUT_MS},
                    {"cq_size", 10},
                    {"rcq_size", 0},
                    {"sq_size", 10},
                    {"rq_size", 10},
                    {"shared", 0},
                    {"srq", 0}};
}

inline constexpr CallPage kPage = New::PageWith(Succeeded);

}  // namespace spec::rpma_conn_cfg_new
