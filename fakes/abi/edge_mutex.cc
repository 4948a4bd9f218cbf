#include "abi/edge_mutex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace fakenic {
namespace {

constexpr int kLooks = 100;                // a few microseconds: most calls are over by then
constexpr timespec kAtMost{0, 1'000'000};  // that a sleeper sleeps on though the lock is free

void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

void EdgeMutex::Wait() {
  for (int looks = 0; looks < kLooks; ++looks) {
    const bool is_free = taken_.load(std::memory_order_relaxed) == 0;
    if (is_free && taken_.exchange(1, std::memory_order_acquire) == 0) return;
    Pause();
  }
  ++sleepers_;
  while (taken_.exchange(1, std::memory_order_acquire) != 0) {
    syscall(SYS_futex, &taken_, FUTEX_WAIT_PRIVATE, 1, &kAtMost, nullptr, 0);
  }
  --sleepers_;
}

void EdgeMutex::WakeOne() {
  syscall(SYS_futex, &taken_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace fakenic
