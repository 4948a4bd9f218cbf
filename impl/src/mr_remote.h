#pragma once

#include <cstdint>

struct rpma_mr_remote {
  uint64_t addr;
  uint64_t size;
  uint32_t rkey;
  uint8_t usage;
};
