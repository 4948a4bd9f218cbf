#include "abi/edge_mutex.h"

#include <gtest/gtest.h>
#include <time.h>

#include <mutex>
#include <thread>
#include <vector>

namespace fakenic {
namespace {

TEST(EdgeMutex, KeepsAllButOneOut) {
  constexpr int kThreads = 4, kTimes = 20000;
  EdgeMutex mutex;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int time = 0; time < kTimes; ++time) {
        const std::lock_guard lock(mutex);
        ++count;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, kThreads * kTimes);
}

TEST(EdgeMutex, WhoeverSleepsForItGetsIt) {
  EdgeMutex mutex;
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex);
    for (int i = 0; i < 3; ++i) threads.emplace_back([&] { const std::lock_guard lock(mutex); });
    constexpr timespec kUntilTheySleep{0, 20'000'000};
    nanosleep(&kUntilTheySleep, nullptr);
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace fakenic
