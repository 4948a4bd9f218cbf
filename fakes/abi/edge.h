// The one global of the fake: the fabric and the connection manager of this process, and the lock
// around them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "abi/edge_mutex.h"
#include "abi/faults.h"
#include "cm/connection_manager.h"
#include "nic/clock.h"
#include "nic/fabric.h"
#include "schedule/seeded.h"
#include "wire/network.h"

namespace fakenic {

// Runs with the machine's clock, or as many times as fast, or stands still until it is told to
// advance. Never jumps.
class EdgeClock : public Clock {
 public:
  uint64_t NowNs() override;
  void Freeze(bool frozen);
  void SetRate(uint32_t rate);
  void Advance(uint64_t ns) { base_ns_ += ns; }
  bool frozen() const { return frozen_; }
  uint32_t rate() const { return rate_; }

 private:
  static uint64_t MonotonicNs();
  void Rebase();

  bool frozen_ = false;
  uint32_t rate_ = 1;
  uint64_t started_ns_ = MonotonicNs();  // on the machine's clock
  uint64_t base_ns_ = started_ns_;       // on this one, at that moment
};

inline constexpr uint32_t kMaxClockRate = 1000000;

struct FakeContext;
struct FakePd;

struct Edge {
  Edge();

  EdgeMutex mutex;
  std::condition_variable_any acked;  // an RDMA CM event was acknowledged
  EdgeClock clock;
  Fabric fabric{clock};
  ConnectionManager cm{fabric, clock};
  Network network;
  Faults faults;
  FakeContext* cm_context = nullptr;  // see cm_device.h
  FakePd* cm_pd = nullptr;
  unsigned cm_pd_users = 0;
  uint64_t event_channels = 0;
  std::atomic<uint64_t> address_infos = 0;
  std::string device_name;          // FAKENIC_DEVICE, or the profile's
  bool offers_atomic_write = true;  // FAKENIC_WITHOUT takes it away

  std::optional<Seeded> seeded;
  uint64_t seed = 0;

  // All of these require mutex.
  void ScheduleEagerly();
  void ScheduleByHand();
  void ScheduleBy(Choices choices);
  // Before a program looks for what the NIC has done, or waits until this is there.
  void BeforePoll();
  void BeforeWait(const std::function<bool()>& there);
  // Looks a moment for what other processes send, until this is there; gives the lock back
  // meanwhile.
  void LookOut(std::unique_lock<EdgeMutex>& lock, const std::function<bool()>& there);
  // After a call that left something to be done: the schedule may do some of it, and a thread sees
  // to the timers.
  void AfterCall();
  bool timers_run() const { return fabric.busy() || cm.has_timers(); }
  void FireTimers();
  // Sees to it that the NIC's thread fires the timers that now run.
  void ArmTimers();
  // Lines about this process for a person.
  std::string Describe();
  // In a child that was forked: what the parent has is none of its own.
  void Abandon();
  void SetClockRate(uint32_t rate);
  void AdvanceClock(uint64_t ns);

 private:
  std::optional<uint64_t> NextDeadline() const;
  void ConnectNetwork();
  void ReadEnvironment();
  void TakeAway(const char* operations);
  bool SomebodyIsAsleep();

  // nic_thread.cc
  void StartThread();
  void WakeThread();
  void ThreadLoop();
  uint64_t NextDue() const;
  bool Sleep(std::unique_lock<EdgeMutex>& lock, uint64_t ns);
  bool SilenceBell();
  bool ProgramPolls();

  bool thread_ = false;
  bool rung_ = false;        // the doorbell, since the thread silenced it
  uint64_t calls_ = 0;       // under the seeded schedule
  uint64_t polls_ = 0;       // those that took in packets
  uint64_t polls_seen_ = 0;  // when the thread looked last
  uint64_t awaited_ns_ = 0;  // until then the thread sleeps at most; 0: for ever
  uint64_t clock_now_ = 0;   // as the thread has read it
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

// Holds the lock of the edge for a call that can leave something to be done.
class Locked {
 public:
  explicit Locked(Edge& edge = fakenic::edge()) : edge_(edge), lock_(edge.mutex) {}
  ~Locked() {
    if (edge_.timers_run() || edge_.fabric.pending()) [[unlikely]] {
      edge_.AfterCall();
    }
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  std::unique_lock<EdgeMutex>& lock() { return lock_; }

 private:
  Edge& edge_;
  std::unique_lock<EdgeMutex> lock_;
};

}  // namespace fakenic
