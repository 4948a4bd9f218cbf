#pragma once

#include <barrier>
#include <thread>
#include <vector>

inline constexpr int kThreads = 4;
inline constexpr int kRounds = 200;

// Runs body(thread, round) for each round in each of the threads, which start together.
template <typename Body>
void Concurrently(Body body, int rounds = kRounds) {
  std::barrier start(kThreads);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      for (int round = 0; round < rounds; ++round) body(thread, round);
    });
  }
}
