// A case: a small program over one connection, as a value. The argument tables, the random
// programs, shrinking and `replay` all use this one type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace conformance {

enum class Side { kClient, kServer };

// The target of an operation: a region of the other end.
enum class Target {
  kGood,     // D: registered for being written to
  kNull,     // NULL
  kStale,    // stale: its owner has deregistered it
  kForeign,  // foreign: registered by a peer that the connection does not belong to
  kNoWrite,  // nowrite: registered without RPMA_MR_USAGE_WRITE_DST
  kOdd,      // odd: a good region whose base is not a multiple of 8
};
inline constexpr int kTargetCount = 6;

// The source of a write: a region of the writing end. Of an atomic write: NULL, or a word of the
// program's.
enum class Source { kGood, kNull, kForeign };
inline constexpr int kSourceCount = 3;

enum class StepKind {
  kWrite,
  kAtomicWrite,
  kPoll,       // rpma_cq_get_wc of `number` entries
  kWait,       // rpma_cq_wait, if it cannot block
  kTakeStep,   // the fake NIC takes its enabled step `number`
  kRun,        // the fake NIC takes all steps
  kFault,      // the next ibv_post_send on the fake NIC fails with errno `number`
  kDereg,      // this end deregisters its region D
  kAlternate,  // `number` atomic writes of two words in turn, while a reader watches
  kDrain,      // all completions, a marker, both memories; every program ends with one
};

struct Step {
  StepKind kind = StepKind::kDrain;
  Side side = Side::kClient;
  bool conn = true;  // false: NULL
  Target dst = Target::kGood;
  std::uint64_t dst_offset = 0;
  Source src = Source::kGood;
  std::uint64_t src_offset = 0;
  std::uint64_t len = 8;
  int flags = 3;
  std::uint64_t ctx = 0;
  std::uint64_t word =
      0x0807060504030201;  // the 8 bytes of an atomic write, in the order of memory
  std::uint64_t number = 1;

  bool posts() const { return kind == StepKind::kWrite || kind == StepKind::kAtomicWrite; }
  bool operator==(const Step&) const = default;
};

enum class Schedule { kEager, kManual };

struct Config {
  std::uint32_t sq = 8;
  std::uint32_t cq = 32;
  std::size_t region = 64;  // bytes in each region
  Schedule schedule = Schedule::kEager;

  bool operator==(const Config&) const = default;
};

struct Program {
  Config config;
  std::vector<Step> steps;

  bool operator==(const Program&) const = default;
};

}  // namespace conformance
