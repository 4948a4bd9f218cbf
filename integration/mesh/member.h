// One process of the mesh.
#pragma once

#include <atomic>
#include <cstdint>

inline constexpr int kMost = 512;
inline constexpr int kBytes = 64;  // that each process writes to every other

// What all processes see.
struct Board {
  std::atomic<int> listening{0}, connected{0}, written{0}, checked{0}, ended{0};
  std::atomic<int> go{0};  // how far the members may go: see Stage
  uint16_t ports[kMost] = {};
  std::atomic<int> killed[kMost] = {};
};

enum Stage { kConnect = 1, kWrite = 2, kWriteAgain = 3, kEnd = 4 };

// Lives as process `index` of `count`. Returns the exit status: 0 if everything was as it must be.
int Live(Board& board, int index, int count);
