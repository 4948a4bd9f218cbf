#include "abi/edge.h"

#include <ifaddrs.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "abi/objects.h"

namespace fakenic {
namespace {

// All loopback addresses, and those of this machine's interfaces.
bool IsLocal(const Address& address) {
  if (address.loopback()) return true;
  ifaddrs* interfaces = nullptr;
  if (getifaddrs(&interfaces) != 0) return false;
  bool found = false;
  for (const ifaddrs* i = interfaces; i != nullptr && !found; i = i->ifa_next) {
    found = i->ifa_addr != nullptr && Address::From(i->ifa_addr).SameHost(address);
  }
  freeifaddrs(interfaces);
  return found;
}

}  // namespace

uint64_t EdgeClock::MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

uint64_t EdgeClock::NowNs() { return (frozen_ ? frozen_at_ns_ : MonotonicNs()) + offset_ns_; }

void EdgeClock::Freeze(bool frozen) {
  if (frozen == frozen_) return;
  const uint64_t now = NowNs();
  frozen_ = frozen;
  frozen_at_ns_ = MonotonicNs();
  offset_ns_ = now - frozen_at_ns_;  // time never jumps
}

Edge::Edge() {
  cm.owns_address = IsLocal;
  fabric.on_async_event = RaiseAsyncEvent;
  const char* without = std::getenv("FAKENIC_WITHOUT");
  offers_atomic_write = without == nullptr || std::string_view(without) != "atomic_write";
  const char* explain = std::getenv("FAKENIC_EXPLAIN");
  if (explain != nullptr && *explain != '\0' && *explain != '0') {
    fabric.on_error = [](const std::string& line) {
      std::fprintf(stderr, "fakenic: %s\n", line.c_str());
    };
  }
}

void Edge::ArmTimers() {
  if (clock.frozen() || !fabric.NextDeadline()) return;
  if (!timer_thread_) {
    timer_thread_ = true;
    std::thread(&Edge::TimerLoop, this).detach();
  }
  timers_changed_.notify_one();
}

void Edge::TimerLoop() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    const auto deadline = clock.frozen() ? std::nullopt : fabric.NextDeadline();
    if (!deadline) {
      timers_changed_.wait(lock);
      continue;
    }
    const uint64_t now = clock.NowNs();
    if (*deadline > now) {
      timers_changed_.wait_for(lock, std::chrono::nanoseconds(*deadline - now));
    } else {
      fabric.FireTimers();
    }
  }
}

std::atomic<Edge*> the_edge = nullptr;

Edge& MakeEdge() {
  static Edge& instance = *new Edge;
  the_edge.store(&instance, std::memory_order_release);
  return instance;
}

}  // namespace fakenic
