#pragma once

#include "peer.h"

struct rpma_mr_local {
  // Registers the memory, or throws RPMA_E_PROVIDER.
  rpma_mr_local(const rpma_peer& peer, void* ptr, size_t size, int usage);

  // What a work request takes from the region, beside each other.
  uint64_t addr;
  uint32_t lkey;
  uint8_t usage;
  rpma::Mr mr;
};
