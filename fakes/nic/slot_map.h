// Objects under small numbers: handles, keys and queue pair numbers. Constant time; a number that
// is not live finds nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fakenic {

// Borrows the objects. A freed slot is reused first, so that a stale number meets a new tenant as
// early as possible; its generation then differs, and whoever builds numbers from slot and
// generation can tell the two apart.
template <typename T>
class SlotMap {
 public:
  explicit SlotMap(size_t capacity) : capacity_(capacity) {}

  bool full() const { return live_ == capacity_; }
  size_t size() const { return live_; }

  // Requires !full().
  uint32_t Insert(T* object) {
    uint32_t slot;
    if (free_.empty()) {
      slot = static_cast<uint32_t>(slots_.size());
      slots_.push_back({});
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    slots_[slot].object = object;
    ++live_;
    return slot;
  }

  T* Find(uint32_t slot) const { return slot < slots_.size() ? slots_[slot].object : nullptr; }

  uint32_t generation(uint32_t slot) const { return slots_[slot].generation; }

  void Remove(uint32_t slot) {
    slots_[slot].object = nullptr;
    ++slots_[slot].generation;
    free_.push_back(slot);
    --live_;
  }

  template <typename F>
  void ForEach(F&& f) const {
    for (const Slot& slot : slots_) {
      if (slot.object != nullptr) f(*slot.object);
    }
  }

 private:
  struct Slot {
    T* object = nullptr;
    uint32_t generation = 0;
  };

  size_t capacity_;
  size_t live_ = 0;
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
};

}  // namespace fakenic
