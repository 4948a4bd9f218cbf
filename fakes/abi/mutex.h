// The lock around the edge, which every call takes.
#pragma once

#include <atomic>

namespace fakenic {

// A BasicLockable for std::unique_lock. While nobody else wants it, taking it and giving it back
// are one atomic operation each, in line; a pthread_mutex_t costs a hundred instructions more.
class Mutex {
 public:
  void lock() {
    int free = kFree;
    if (!state_.compare_exchange_strong(free, kHeld, std::memory_order_acquire)) [[unlikely]] {
      Wait();
    }
  }

  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) [[unlikely]] {
      state_.notify_one();
    }
  }

 private:
  enum : int { kFree, kHeld, kAwaited };

  // Who has waited takes it as one that may be awaited by more.
  [[gnu::noinline]] void Wait() {
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree) {
      state_.wait(kAwaited, std::memory_order_relaxed);
    }
  }

  std::atomic<int> state_{kFree};
};

}  // namespace fakenic
