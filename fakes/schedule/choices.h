// Where a schedule's choices come from: a seed, or a record of earlier ones. Each is recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace fakenic {

// Which steps are slow for a while, so that what needs a long delay is seen as well: those of one
// kind, of one of a few groups of queue pairs or of all.
struct Slowness {
  static constexpr size_t kKinds = 13;
  static constexpr size_t kFlows = 4;
  static constexpr size_t kAllFlows = kFlows - 1;

  size_t kind = 0;
  size_t flow = 0;

  bool Covers(const Slowness& step) const {
    return kind == step.kind && (flow == kAllFlows || flow == step.flow % kFlows);
  }
};

class Choices {
 public:
  // The same seed gives the same choices, on every machine.
  explicit Choices(uint64_t seed) : state_(seed) {}
  // Repeats these; beyond their end, and where one is out of bounds, the first alternative.
  explicit Choices(std::vector<uint32_t> recorded)
      : replaying_(true), replayed_(std::move(recorded)) {}

  // One of 0 to alternatives - 1. Requires alternatives > 0.
  size_t Choose(size_t alternatives);

  // The same, but those that are slow seldom, unless there are no others.
  size_t ChooseAvoiding(size_t alternatives, const std::function<bool(size_t)>& slow);

  Slowness ChooseSlowness() { return {Choose(Slowness::kKinds), Choose(Slowness::kFlows)}; }

  const std::vector<uint32_t>& made() const { return made_; }

 private:
  uint64_t Random();

  uint64_t state_ = 0;
  bool replaying_ = false;
  std::vector<uint32_t> replayed_;
  std::vector<uint32_t> made_;
};

}  // namespace fakenic
