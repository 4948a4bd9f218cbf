#include "property_tests/runner/process_load.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace conformance {

namespace {

TEST(ProcessLoad, MemoryIsWhatIsTouched) {
  constexpr std::size_t kMuch = std::size_t{64} << 20;
  const std::uint64_t before = MemoryOf(getpid());
  std::vector<char> memory(kMuch, 1);

  EXPECT_GE(MemoryOf(getpid()), before + kMuch / 2);
  EXPECT_EQ(memory.back(), 1);
}

// Two that are always ready to run, on one processor.
TEST(ProcessLoad, WhoSharesAProcessorWaitsForIt) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) GTEST_SKIP() << std::strerror(errno);
  const pid_t other = fork();
  if (other == 0)
    for (volatile bool always = true; always;) continue;
  const std::chrono::nanoseconds enough =
      WaitedForProcessor(getpid()) + std::chrono::milliseconds(20);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);

  while (WaitedForProcessor(getpid()) < enough && std::chrono::steady_clock::now() < end) continue;

  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  const std::chrono::nanoseconds waited = WaitedForProcessor(getpid());
  if (waited.count() == 0) GTEST_SKIP() << "this kernel does not tell";
  EXPECT_GE(waited, enough);
}

TEST(ProcessLoad, WhatIsGoneTakesNothing) {
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);

  EXPECT_EQ(MemoryOf(gone), 0u);
  EXPECT_EQ(WaitedForProcessor(gone).count(), 0);
}

}  // namespace

}  // namespace conformance
