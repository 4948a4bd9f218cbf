#include "spec/model/send_queue.h"

#include <utility>

namespace spec::model {

void SendQueue::Reset(std::size_t depth) {
  depth_ = depth;
  operations_.clear();
  covered_ = 0;
  refused_.clear();
  last_page_ = nullptr;
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

void SendQueue::Break(const Operation& operation, const Rule* rule, std::string allowed,
                      std::string seen) {
  Finding finding{{}, std::move(allowed), std::move(seen)};
  if (operation.zero_byte && rule != operation.page->zero_byte)
    finding.blame.push_back(operation.page->zero_byte);
  finding.blame.push_back(rule);
  witness_->Broke(std::move(finding));
}

}  // namespace spec::model
