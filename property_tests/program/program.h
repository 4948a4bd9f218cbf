// A case: a small program over one connection, as a value. The argument tables, the random
// programs, shrinking and `replay` all use this one type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "property_tests/program/step_kind.h"

namespace conformance {

enum class Side { kClient, kServer };

constexpr Side OtherThan(Side side) {
  return side == Side::kClient ? Side::kServer : Side::kClient;
}

// A region of the other end.
enum class Remote {
  kGood,     // D: registered for everything
  kNull,     // NULL
  kStale,    // stale: its owner has deregistered it
  kForeign,  // foreign: registered by a peer that the connection does not belong to
  kNoWrite,  // nowrite: registered for being read from only
  kNoRead,   // noread: registered for being written to only
  kOdd,      // odd: a good region whose base is not a multiple of 8
};
inline constexpr int kRemoteCount = 7;

// A region of the end that posts: S to send or write from, L to read into, R to receive into. Of an
// atomic write: NULL, or a word of the program's.
enum class Local {
  kGood,     // S, L or R
  kNull,     // NULL
  kForeign,  // foreign: registered by a peer that the connection does not belong to
  kNoUsage,  // nousage: registered for being read by the other end only
};
inline constexpr int kLocalCount = 4;

struct Step {
  StepKind kind = StepKind::kDrain;
  Side side = Side::kClient;
  bool handle = true;  // false: the connection, request or shared receive queue is NULL
  Remote remote = Remote::kGood;
  std::uint64_t remote_offset = 0;
  Local local = Local::kGood;
  std::uint64_t local_offset = 0;
  std::uint64_t len = 8;
  int flags = 3;
  std::uint64_t ctx = 0;
  // the 8 bytes of an atomic write, in the order of memory
  std::uint64_t word = 0x0807060504030201;
  std::uint32_t imm = 0;
  int type = 1;               // of a flush: enum rpma_flush_type; 1 is VISIBILITY
  bool direct_write = false;  // of a flush: the other end is said to support direct write to pmem
  std::uint64_t number = 1;

  const StepTraits& traits() const { return TraitsOf(kind); }
  bool posts() const { return traits().posts(); }
  bool operator==(const Step&) const = default;
};

// Of the fake: seeded takes its steps by chance, from a seed.
enum class Schedule { kEager, kManual, kSeeded };

// How both ends are configured.
struct Config {
  std::uint32_t sq = 8;
  std::uint32_t rq = 8;
  std::uint32_t cq = 32;
  std::uint32_t rcq = 0;    // 0: receives complete in the CQ of everything
  std::uint32_t srq = 0;    // 0: none; else the size of one that both ends share
  std::uint32_t srcq = 0;   // of the shared receive queue; 0: receives complete at their end
  bool channel = false;     // one completion channel for both CQs of an end
  std::size_t region = 64;  // bytes in each region
  Schedule schedule = Schedule::kEager;
  std::uint32_t seed = 0;  // of the seeded schedule

  bool operator==(const Config&) const = default;
};

struct Program {
  Config config;
  std::vector<Step> steps;

  bool operator==(const Program&) const = default;
};

}  // namespace conformance
