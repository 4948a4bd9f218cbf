// The seeded schedule: takes enabled steps by chance, and leaves some for later calls.
//
// Steps of one kind at a time are slow, so that what needs a long delay is seen as well. A program
// that polls gets its completions: each poll takes at least one step if one is enabled.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>

#include "nic/fabric.h"
#include "schedule/choices.h"

namespace fakenic {

class Seeded {
 public:
  explicit Seeded(Choices choices) : choices_(std::move(choices)) {}

  // Some steps, perhaps none: after a call that may have enabled some.
  void RunSome(Fabric& fabric) { Run(fabric, choices_.Choose(kMost + 1)); }
  // At least one, if one is enabled: when the program looks for results.
  void RunOnPoll(Fabric& fabric) { Run(fabric, 1 + choices_.Choose(kMost)); }
  // Until what the program waits for is there, or nothing is left to do.
  void RunUntil(Fabric& fabric, const std::function<bool()>& there);

  const Choices& choices() const { return choices_; }
  // Changes with every step that is taken; equal for equal runs.
  uint64_t trace() const { return trace_; }
  uint64_t steps() const { return steps_; }

 private:
  static constexpr size_t kMost = 8;
  static constexpr uint64_t kSlowFor = 32;  // steps

  void Run(Fabric& fabric, size_t steps);
  bool TakeOne(Fabric& fabric);
  // The number of a queue pair in the order of appearance, as equal runs may have other qp_nums.
  size_t Rank(const Step& step);

  Choices choices_;
  Slowness slow_;
  std::unordered_map<uint32_t, size_t> ranks_;
  uint64_t trace_ = 0;
  uint64_t steps_ = 0;
};

}  // namespace fakenic
