#include "spec/model/send_queue.h"

namespace spec::model {

void SendQueue::Reset(std::size_t depth) {
  Clear(depth);
  covered_ = 0;
  last_completed_ = 0;
  receive_refused_ = nullptr;
}

bool SendQueue::healthy() const {
  for (const Operation& o : operations_)
    if (o.failed || (o.fate != Fate::kSucceeds && !o.succeeded)) return false;
  return true;
}

bool SendQueue::broken() const {
  for (const Operation& o : operations_)
    if (o.failed || o.fate == Fate::kFails) return true;
  return false;
}

bool SendQueue::OwesCompletion() const {
  for (std::size_t i = covered_; i < operations_.size(); ++i) {
    const Operation& o = operations_[i];
    if (o.completions > 0 || o.excused) continue;
    if (o.signal == Signal::kAlways || FateOf(i) == Fate::kFails) return true;
  }
  return false;
}

bool SendQueue::Awaits(std::uint64_t wr_id) const {
  for (const Operation& o : operations_)
    if (o.wr_id == wr_id && o.completions == 0) return true;
  return false;
}

Fate SendQueue::FateOf(std::size_t index) const {
  const Operation& own = operations_[index];
  bool open = own.fate == Fate::kOpen;
  for (std::size_t i = 0; i < index; ++i) {
    const Operation& o = operations_[i];
    if (o.failed || o.fate == Fate::kFails) return Fate::kFails;
    if (o.fate == Fate::kOpen && !o.succeeded) open = true;
  }
  if (own.fate == Fate::kFails) return Fate::kFails;
  return open ? Fate::kOpen : Fate::kSucceeds;
}

void SendQueue::Excuse() {
  for (Operation& o : operations_)
    if (o.completions == 0) {
      o.excused = true;
      o.fate = Fate::kOpen;
    }
}

void SendQueue::Loosen() {
  for (Operation& o : operations_)
    if (o.completions == 0 && o.fate == Fate::kSucceeds) o.fate = Fate::kOpen;
}

void SendQueue::Doubt(std::size_t index, const Rule* rule) {
  operations_[index].fate = Fate::kOpen;
  if (rule != nullptr) operations_[index].open_rule = rule;
}

bool SendQueue::Done(std::size_t index, bool alive) const {
  if (operations_[index].succeeded) return true;
  if (operations_[index].failed || FateOf(index) != Fate::kSucceeds) return false;
  for (std::size_t i = index + 1; i < operations_.size(); ++i)
    if (operations_[i].succeeded) return true;
  return alive;
}

bool SendQueue::FailedUpTo(std::size_t index) const {
  for (std::size_t i = 0; i <= index; ++i)
    if (operations_[i].failed) return true;
  return false;
}

bool SendQueue::MarkerReturned(const Operation& marker, int code) {
  if (code == 0) {
    operations_.push_back(marker);
    return true;
  }
  if (healthy() && !full()) SettleMarker(marker, /*alive=*/false);
  return false;
}

}  // namespace spec::model
