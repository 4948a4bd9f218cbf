// A completion queue.
//
// Differs from hardware:
//  - holds exactly the number of entries asked for; devices round up.
//  - what a failed completion leaves undefined is filled with a value that changes each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nic/comp_channel.h"
#include "nic/types.h"

namespace fakenic {

class Cq {
 public:
  enum class Arm : uint8_t { kNone, kSolicited, kAny };

  Cq(size_t capacity, CompChannel* channel)
      : ring_(capacity), capacity_(capacity), channel_(channel) {}

  size_t capacity() const { return capacity_; }
  size_t size() const { return count_; }
  bool full() const { return count_ == capacity_; }
  CompChannel* channel() const { return channel_; }
  bool overrun() const { return overrun_; }

  // The next free entry, for the caller to fill and Commit(). Null when there is none: the
  // completion is lost and the CQ is overrun for good.
  Completion* Claim();
  void Commit(const Completion& claimed);

  // Both at once. False when there is no room.
  bool Push(const Completion& completion);

  // Takes the oldest completion. Requires size() > 0. The reference is good until the next call.
  const Completion& Pop();

  // Visits the completions, oldest first.
  template <typename F>
  void ForEach(F&& f) const {
    for (size_t i = 0, at = head_; i < count_; ++i, at = Next(at)) f(ring_[at]);
  }

  // Whether a completion may have to wake somebody.
  bool armed() const { return channel_ != nullptr && arm_ != Arm::kNone; }

  // Arms for one event. A request for solicited events does not weaken one for any event.
  void RequestNotify(bool solicited_only);

  // Whether a completion that nobody has polled earns the event that is asked for.
  bool OweEventOfUnpolled();

  // Keeps the completions of a queue pair that is destroyed, on another's account. Returns how many
  // of them were of receives.
  uint32_t Reassign(const Qp* qp, Qp& other);

  // Forgets the completions of a queue pair that is destroyed or reset. Returns how many of them
  // were of receives.
  uint32_t Purge(const Qp* qp);

  // Requires capacity >= size(). The completions stay.
  void Resize(size_t capacity);

  // Events that completions have earned and RaiseEvent() has not yet put into the channel.
  uint32_t events_owed() const { return events_owed_; }
  void RaiseEvent();

  uint32_t handle = 0;
  bool errors_are_solicited = true;
  uint32_t users = 0;    // queue pairs attached, as send CQ or as receive CQ
  void* user = nullptr;  // whoever wraps the CQ

 private:
  void OweEvent(const Completion& completion);
  size_t Next(size_t index) const { return index + 1 == capacity_ ? 0 : index + 1; }

  std::vector<Completion> ring_;
  size_t capacity_;  // of the ring, at hand
  size_t head_ = 0;
  size_t tail_ = 0;
  size_t count_ = 0;
  CompChannel* channel_;
  Arm arm_ = Arm::kNone;
  uint32_t events_owed_ = 0;
  bool overrun_ = false;
};

inline Completion* Cq::Claim() {
  if (full()) [[unlikely]] {
    overrun_ = true;
    return nullptr;
  }
  return &ring_[tail_];
}

inline void Cq::Commit(const Completion& claimed) {
  tail_ = Next(tail_);
  ++count_;
  if (arm_ != Arm::kNone) [[unlikely]] {
    OweEvent(claimed);
  }
}

inline bool Cq::Push(const Completion& completion) {
  Completion* claimed = Claim();
  if (claimed == nullptr) return false;
  *claimed = completion;
  Commit(*claimed);
  return true;
}

inline const Completion& Cq::Pop() {
  const Completion& oldest = ring_[head_];
  head_ = Next(head_);
  --count_;
  return oldest;
}

}  // namespace fakenic
