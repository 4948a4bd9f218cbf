#include "abi/edge.h"

#include <ifaddrs.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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

// Whether this process may bind to ports below 1024.
bool HasNetBindService() {
  constexpr uint32_t kCapNetBindService = 10;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  return (data[0].effective & (1u << kCapNetBindService)) != 0;
}

}  // namespace

uint64_t EdgeClock::MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

uint64_t EdgeClock::NowNs() {
  return frozen_ ? base_ns_ : base_ns_ + (MonotonicNs() - started_ns_) * rate_;
}

void EdgeClock::Rebase() {
  base_ns_ = NowNs();
  started_ns_ = MonotonicNs();
}

void EdgeClock::Freeze(bool frozen) {
  Rebase();
  frozen_ = frozen;
}

void EdgeClock::SetRate(uint32_t rate) {
  Rebase();
  rate_ = rate;
}

Edge::Edge() {
  cm.hosts.is_local = IsLocal;
  cm.may_bind_low_ports = HasNetBindService;
  fabric.on_async_event = RaiseAsyncEvent;
  if (const char* name = std::getenv("FAKENIC_PROFILE")) {
    const Profile* profile = FindProfile(name);
    if (profile != nullptr) {
      fabric.device().set_profile(*profile);
    } else {
      std::fprintf(stderr, "fakenic: FAKENIC_PROFILE=%s: expected spec, mlx5 or rxe\n", name);
    }
  }
  const char* name = std::getenv("FAKENIC_DEVICE");
  device_name = name != nullptr && *name != '\0' ? name : fabric.device().profile().device_name;
  const char* without = std::getenv("FAKENIC_WITHOUT");
  offers_atomic_write = without == nullptr || std::string_view(without) != "atomic_write";
  if (const char* rate = std::getenv("FAKENIC_CLOCK_RATE")) {
    const unsigned long value = std::strtoul(rate, nullptr, 10);
    if (value >= 1 && value <= kMaxClockRate) clock.SetRate(static_cast<uint32_t>(value));
  }
  const char* explain = std::getenv("FAKENIC_EXPLAIN");
  if (explain != nullptr && *explain != '\0' && *explain != '0') {
    fabric.on_error = [](const std::string& line) {
      std::fprintf(stderr, "fakenic: %s\n", line.c_str());
    };
  }
}

std::optional<uint64_t> Edge::NextDeadline() const {
  const auto transport = fabric.NextDeadline();
  const auto connection = cm.NextDeadline();
  if (!transport || !connection) return transport ? transport : connection;
  return std::min(*transport, *connection);
}

void Edge::FireTimers() {
  fabric.FireTimers();
  cm.FireTimers();
}

// A thread that sleeps until an earlier deadline need not be told of a later one.
void Edge::ArmTimers() {
  if (clock.frozen()) return;
  const auto deadline = NextDeadline();
  if (!deadline || (awaited_ns_ != 0 && awaited_ns_ <= *deadline)) return;
  if (!timer_thread_) {
    timer_thread_ = true;
    std::thread(&Edge::TimerLoop, this).detach();
  }
  timers_changed_.notify_one();
}

void Edge::SetClockRate(uint32_t rate) {
  clock.SetRate(rate);
  timers_changed_.notify_one();
}

void Edge::AdvanceClock(uint64_t ns) {
  clock.Advance(ns);
  FireTimers();
  timers_changed_.notify_one();
}

void Edge::TimerLoop() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    const auto deadline = clock.frozen() ? std::nullopt : NextDeadline();
    if (!deadline) {
      timers_changed_.wait(lock);
      continue;
    }
    const uint64_t now = clock.NowNs();
    if (*deadline > now) {
      awaited_ns_ = *deadline;
      const uint64_t sleep = (*deadline - now + clock.rate() - 1) / clock.rate();
      timers_changed_.wait_for(lock, std::chrono::nanoseconds(sleep));
      awaited_ns_ = 0;
    } else {
      FireTimers();
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
