// A protection domain: what may be used together.
#pragma once

#include <cstdint>

namespace fakenic {

struct Pd {
  uint32_t handle = 0;
  uint32_t children =
      0;  // memory regions and queue pairs; a domain that has any cannot be deallocated
};

}  // namespace fakenic
