// A queue of events behind a file descriptor that is readable exactly while events wait in it.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "nic/event_fd.h"

namespace fakenic {

// Push, Pop and RemoveIf need the caller's lock. A consumer first takes a token from fd() without
// any lock (blocking as the descriptor's O_NONBLOCK flag says), then calls Pop under the lock; an
// empty answer means that the event was withdrawn in between, and the consumer waits again.
template <typename T>
class EventQueue {
 public:
  EventFd& fd() { return fd_; }
  bool empty() const { return events_.empty(); }
  size_t size() const { return events_.size(); }

  void Push(T event) {
    events_.push_back(std::move(event));
    fd_.Add();
  }

  std::optional<T> Pop() {
    if (events_.empty()) return std::nullopt;
    std::optional<T> event(std::move(events_.front()));
    events_.pop_front();
    return event;
  }

  // Withdraws the events that satisfy predicate and returns them in order.
  template <typename Predicate>
  std::deque<T> RemoveIf(Predicate&& predicate) {
    std::deque<T> removed, kept;
    for (T& event : events_) (predicate(event) ? removed : kept).push_back(std::move(event));
    events_ = std::move(kept);
    for (size_t i = 0; i < removed.size(); ++i) fd_.TryTake();
    return removed;
  }

 private:
  EventFd fd_;
  std::deque<T> events_;
};

}  // namespace fakenic
