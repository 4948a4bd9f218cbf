#pragma once

#include <librpma.h>

#include <atomic>

// Atomic, because threads may set and read one description.
struct rpma_peer_cfg {
  std::atomic<bool> direct_write_to_pmem{false};
};
