// The one device context that all cm_ids of a process share, and its default protection domain.
#pragma once

#include <infiniband/verbs.h>

namespace fakenic {

// Opened at first use, never closed. Requires the edge's lock. The first use throws
// std::system_error when no descriptor is left.
ibv_context* CmContext();

// The default domain exists while an id that has a device does. Require the edge's lock.
ibv_pd* AcquireCmPd();
void ReleaseCmPd();

}  // namespace fakenic
