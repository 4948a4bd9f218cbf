// One page of memory that runner and worker share. The worker writes down what it is about to do
// before it does it, so that whatever the library does to the process, the runner knows what to
// charge.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/catalogue.h"
#include "spec/model/witness.h"

namespace conformance {

enum class Phase : std::uint32_t { kIdle, kSetUp, kTable, kProgram, kScripts };

// What ends a worker early is written down by the worker itself, as far as it still can.
inline constexpr std::size_t kBoardText = 4096;

struct Board {
  std::atomic<std::uint64_t> beat;  // grows while something moves
  std::atomic<Phase> phase;
  std::atomic<std::uint32_t> rule;      // the rule on trial now, as its number in the catalogue
  std::atomic<std::uint32_t> position;  // of the case in the argument table
  std::atomic<std::uint64_t> calls;     // cases run
  std::atomic<std::uint64_t> waits_in_vain;   // for completions that never came
  std::atomic<std::uint64_t> in_one_process;  // cases that cannot have their ends in two
  std::atomic<std::int32_t> far_end;          // the process of the far end; 0: there is none
  std::atomic<bool> far_end_works;            // the worker waits for it
  std::atomic<bool> strict;                   // should-rules are judged
  std::array<char, kBoardText> part;          // what is being judged
  std::array<char, kBoardText> text;          // the case, unless its position says it
  std::array<char, kBoardText> stack;         // of a crash, or of a call that did not return
  std::array<std::atomic<std::uint64_t>, spec::kMostRules> tested;
  std::array<std::atomic<std::uint64_t>, spec::kMostRules> broken;
  std::array<std::array<std::atomic<std::uint64_t>, spec::model::kSightCount>, spec::kMostRules>
      seen;
};

// Cut to what fits; the rest is zeros.
void Write(std::array<char, kBoardText>& field, std::string_view text);

// Adds one; the worker is the only writer.
inline void Count(std::atomic<std::uint64_t>& counter) {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// The catalogue's numbers by address of the rule, fast enough to count on every call.
class RuleNumbers {
 public:
  RuleNumbers();
  std::size_t of(const spec::Rule* rule) const;

 private:
  std::vector<std::pair<const spec::Rule*, std::size_t>> sorted_;
};

}  // namespace conformance
