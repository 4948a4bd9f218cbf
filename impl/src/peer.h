#pragma once

#include <memory>

#include "verbs_objects.h"

// A copy shares the protection domain, which goes with the last of them.
struct rpma_peer {
  // Throws the codes that rpma_peer_new(3) lists.
  explicit rpma_peer(ibv_context* context);

  bool is_odp_capable;
  bool has_native_atomic_write;
  int native_flush_access;  // the access rights for the kinds of native flush that the device has
  std::shared_ptr<rpma::Pd> pd;
};
