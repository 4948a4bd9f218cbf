#include "abi/edge_mutex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace fakenic {
namespace {

constexpr int kLooks = 100;  // a few microseconds: most calls are over by then
// That a sleeper sleeps on though the lock is free; longer each time, as it is likelier that the
// lock is held for long.
constexpr long kFirstNs = 1'000'000, kLongestNs = 64'000'000;

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
  for (timespec at_most{0, kFirstNs};;
       at_most.tv_nsec = std::min(2 * at_most.tv_nsec, kLongestNs)) {
    sleeps_ = true;  // also for those who sleep beside this one, and go on to do so
    if (taken_.exchange(1, std::memory_order_acquire) == 0) return;
    syscall(SYS_futex, &taken_, FUTEX_WAIT_PRIVATE, 1, &at_most, nullptr, 0);
  }
}

// Once: until who was woken has run, nobody has to be woken again.
void EdgeMutex::WakeOne() {
  sleeps_.store(false, std::memory_order_relaxed);
  syscall(SYS_futex, &taken_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace fakenic
