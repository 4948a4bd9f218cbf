// Time, as the model sees it: whoever owns the fabric says what time it is.
#pragma once

#include <cstdint>

namespace fakenic {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual uint64_t NowNs() = 0;
};

}  // namespace fakenic
