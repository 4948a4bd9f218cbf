#pragma once

#include <librpma.h>

#include <atomic>
#include <cstdint>

// Atomic, because threads may set and read one configuration.
struct rpma_srq_cfg {
  std::atomic<uint32_t> rq_size{100};
  std::atomic<uint32_t> rcq_size{100};
};
