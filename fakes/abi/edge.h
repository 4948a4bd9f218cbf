// The one global of the fake: the fabric and the connection manager of this process, and the lock
// around them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "abi/faults.h"
#include "cm/connection_manager.h"
#include "nic/clock.h"
#include "nic/fabric.h"

namespace fakenic {

// Runs with the machine's clock, or stands still until it is told to advance.
class EdgeClock : public Clock {
 public:
  uint64_t NowNs() override;
  void Freeze(bool frozen);
  void Advance(uint64_t ns) { offset_ns_ += ns; }
  bool frozen() const { return frozen_; }

 private:
  static uint64_t MonotonicNs();

  bool frozen_ = false;
  uint64_t frozen_at_ns_ = 0;
  uint64_t offset_ns_ = 0;
};

struct Edge {
  Edge();

  std::mutex mutex;
  std::condition_variable acked;  // an RDMA CM event was acknowledged
  EdgeClock clock;
  Fabric fabric{clock};
  ConnectionManager cm{fabric};
  Faults faults;
  uint64_t event_channels = 0;
  bool offers_atomic_write = true;  // FAKENIC_WITHOUT=atomic_write takes it away

  // Requires mutex. Sees to it that a thread fires the timers that now run.
  void ArmTimers();

 private:
  void TimerLoop();

  std::condition_variable timers_changed_;
  bool timer_thread_ = false;
};

extern std::atomic<Edge*> the_edge;
Edge& MakeEdge();

// Made at first use and never destroyed, so that a program may call until its very end.
inline Edge& edge() {
  Edge* made = the_edge.load(std::memory_order_acquire);
  if (made == nullptr) [[unlikely]] {
    return MakeEdge();
  }
  return *made;
}

// Holds the lock of the edge for a call that can leave a timer running.
class Locked {
 public:
  explicit Locked(Edge& edge = fakenic::edge()) : edge_(edge), lock_(edge.mutex) {}
  ~Locked() {
    if (edge_.fabric.busy()) [[unlikely]] {
      edge_.ArmTimers();
    }
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  std::unique_lock<std::mutex>& lock() { return lock_; }

 private:
  Edge& edge_;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace fakenic
