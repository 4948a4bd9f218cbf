// Planned failures of calls.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <string_view>

namespace fakenic {

// Plan, fired and Clear need the edge's lock; Fire takes it when a plan exists, so that a call
// without one pays for a load.
class Faults {
 public:
  static bool CanFail(std::string_view call);

  void Plan(std::string_view call, unsigned nth, int error);
  unsigned fired(std::string_view call) const;
  unsigned left(std::string_view call) const;  // calls until it fails, that one included
  void Clear();

  // The errno with which this call has to fail now, or 0.
  int Fire(std::string_view call) {
    return armed_.load(std::memory_order_relaxed) ? LockAndFire(call) : 0;
  }
  // The same for a caller that holds the lock.
  int FireHeld(std::string_view call) {
    return armed_.load(std::memory_order_relaxed) ? FirePlanned(call) : 0;
  }

 private:
  struct Planned {
    unsigned countdown = 0;  // 0: no failure to come
    int error = 0;
    unsigned fired = 0;
  };

  int LockAndFire(std::string_view call);
  int FirePlanned(std::string_view call);

  std::atomic<bool> armed_ = false;
  std::map<std::string, Planned, std::less<>> plans_;
};

}  // namespace fakenic
