#pragma once

#include <memory>

#include "verbs_objects.h"

struct rpma_cq {
  // A CQ for size completions, armed, on shared_channel or, if that is NULL, on a channel of its
  // own. Throws RPMA_E_PROVIDER.
  rpma_cq(ibv_context* context, uint32_t size, ibv_comp_channel* shared_channel);

  // Destroys the CQ and its channel; 0 or the first error.
  int Close() noexcept;

  // Acknowledges an event of the CQ and arms it again; 0 or RPMA_E_PROVIDER.
  int AckEvent() noexcept;

  bool has_shared_channel() const noexcept { return !own_channel; }

  rpma::CompChannel own_channel;
  ibv_comp_channel* channel;
  rpma::Cq cq;
};
