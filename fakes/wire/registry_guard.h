// Holding the lock of a fabric's table. A lock of a byte of its file, as all of them.
#pragma once

#include <unistd.h>

#include <cstdint>

#include "wire/registry.h"

namespace fakenic {

inline constexpr uint64_t kMutexByte = uint64_t{1} << 40;
inline constexpr uint64_t kFirstProcessByte = kMutexByte + 1;  // one each, held while it lives

class Registry::Guard {
 public:
  explicit Guard(Registry& registry)
      : registry_(registry), held_(registry.LockByte(kMutexByte, /*wait=*/true)) {
    if (held_) registry_.table_->holder_pid = static_cast<uint32_t>(getpid());
  }
  ~Guard() {
    if (held_) registry_.UnlockByte(kMutexByte);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  bool held() const { return held_; }

 private:
  Registry& registry_;
  bool held_;
};

}  // namespace fakenic
