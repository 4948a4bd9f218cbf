#include "schedule/seeded.h"

namespace fakenic {

void Seeded::RunUntil(Fabric& fabric, const std::function<bool()>& there) {
  while (!there() && TakeOne(fabric)) {
  }
}

void Seeded::Run(Fabric& fabric, size_t steps) {
  for (; steps > 0 && TakeOne(fabric); --steps) {
  }
}

size_t Seeded::Rank(const Step& step) {
  if (step.message == nullptr) return 0;
  return ranks_.emplace(step.message->flow, ranks_.size()).first->second;
}

bool Seeded::TakeOne(Fabric& fabric) {
  const std::vector<Step> enabled = fabric.EnabledSteps();
  if (enabled.empty()) return false;
  if (steps_ % kSlowFor == 0) slow_ = choices_.ChooseSlowness();
  const auto slow = [&](size_t i) {
    return slow_.Covers({static_cast<size_t>(enabled[i].kind), Rank(enabled[i])});
  };
  const Step& step = enabled[choices_.ChooseAvoiding(enabled.size(), slow)];
  const uint64_t wr_id = step.message != nullptr ? step.message->wr_id : 0;
  for (const uint64_t part : {static_cast<uint64_t>(step.kind), wr_id, uint64_t{step.piece}}) {
    trace_ = (trace_ ^ part) * 0x100000001b3;
  }
  ++steps_;
  fabric.Take(step);
  return true;
}

}  // namespace fakenic
