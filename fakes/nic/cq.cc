#include "nic/cq.h"

#include <algorithm>

namespace fakenic {

void Cq::RequestNotify(bool solicited_only) {
  arm_ = std::max(arm_, solicited_only ? Arm::kSolicited : Arm::kAny);
}

void Cq::OweEvent(const Completion& completion) {
  if (channel_ == nullptr) return;
  const bool error = completion.status != WcStatus::kSuccess && errors_are_solicited;
  if (arm_ == Arm::kSolicited && !error && !completion.solicited) return;
  arm_ = Arm::kNone;
  ++events_owed_;
}

bool Cq::OweEventOfUnpolled() {
  const uint32_t before = events_owed_;
  ForEach([this](const Completion& completion) {
    if (armed()) OweEvent(completion);
  });
  return events_owed_ > before;
}

uint32_t Cq::Reassign(const Qp* qp, Qp& other) {
  uint32_t receives = 0;
  for (size_t i = 0, at = head_; i < count_; ++i, at = Next(at)) {
    if (ring_[at].qp != qp) continue;
    if (ring_[at].is_recv) ++receives;
    ring_[at].qp = &other;
  }
  return receives;
}

void Cq::RaiseEvent() {
  --events_owed_;
  channel_->events.Push(this);
}

uint32_t Cq::Purge(const Qp* qp) {
  uint32_t receives = 0;
  std::vector<Completion> kept;
  kept.reserve(count_);
  while (count_ > 0) {
    const Completion& completion = Pop();
    if (completion.qp != qp) {
      kept.push_back(completion);
    } else if (completion.is_recv) {
      ++receives;
    }
  }
  head_ = 0;
  count_ = kept.size();
  std::copy(kept.begin(), kept.end(), ring_.begin());
  tail_ = full() ? 0 : count_;
  return receives;
}

void Cq::Resize(size_t capacity) {
  std::vector<Completion> ring(capacity);
  size_t kept = 0;
  while (count_ > 0) ring[kept++] = Pop();
  ring_ = std::move(ring);
  capacity_ = capacity;
  head_ = 0;
  count_ = kept;
  tail_ = full() ? 0 : kept;
}

}  // namespace fakenic
