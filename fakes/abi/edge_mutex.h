// The lock of the edge, which every call on the data path takes.
#pragma once

#include <atomic>
#include <cstdint>

namespace fakenic {

// A std::mutex exchanges a word atomically when it is taken, and again when it is given back, to
// learn whether a thread sleeps for it. Each exchange waits until all stores before it are done;
// together they take longer than the rest of a small write. Giving this one back is a plain store:
// the look for sleepers behind it may come too early and miss one, which wakes up by itself.
class EdgeMutex {
 public:
  void lock() {
    if (taken_.exchange(1, std::memory_order_acquire) != 0) [[unlikely]] {
      Wait();
    }
  }
  void unlock() {
    taken_.store(0, std::memory_order_release);
    if (sleeps_.load(std::memory_order_relaxed)) [[unlikely]] {
      WakeOne();
    }
  }

 private:
  void Wait();
  void WakeOne();

  std::atomic<uint32_t> taken_{0};
  std::atomic<bool> sleeps_{false};  // somebody may
};

}  // namespace fakenic
