// A completion queue as far as waiting and polling see it: what is in it, and whether an event is
// there.
#pragma once

#include <cstdint>
#include <deque>

namespace spec::model {

struct CompletionQueue {
  std::deque<std::uint64_t> completions;  // wr_ids, all of status success, oldest first
  int events = 0;
  bool armed = true;     // the next completion raises an event
  bool ready = false;    // a wait has found something, and no poll has taken it
  bool unclear = false;  // what it holds is open

  void Add(std::uint64_t wr_id) {
    completions.push_back(wr_id);
    if (armed) ++events;
    armed = false;
  }
  // The event is taken, and the next completion raises another.
  void TakeEvent() {
    --events;
    armed = true;
  }
};

}  // namespace spec::model
