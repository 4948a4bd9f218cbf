#include "schedule/choices.h"

namespace fakenic {

size_t Choices::Choose(size_t alternatives) {
  size_t choice = 0;
  if (!replaying_) {
    choice = Random() % alternatives;
  } else if (made_.size() < replayed_.size() && replayed_[made_.size()] < alternatives) {
    choice = replayed_[made_.size()];
  }
  made_.push_back(static_cast<uint32_t>(choice));
  return choice;
}

size_t Choices::ChooseAvoiding(size_t alternatives, const std::function<bool(size_t)>& slow) {
  constexpr size_t kSeldom = 8;
  std::vector<size_t> quick;
  for (size_t i = 0; i < alternatives; ++i) {
    if (!slow(i)) quick.push_back(i);
  }
  const bool avoid = !quick.empty() && Choose(kSeldom) != 0;
  return avoid ? quick[Choose(quick.size())] : Choose(alternatives);
}

// SplitMix64: a counter through a mixing function.
uint64_t Choices::Random() {
  state_ += 0x9e3779b97f4a7c15;
  uint64_t mixed = state_;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return mixed ^ mixed >> 31;
}

}  // namespace fakenic
