#include "abi/edge.h"

#include <ifaddrs.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
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
      std::fprintf(stderr, "fakenic: FAKENIC_PROFILE=%s: expected spec, mlx5, mlx5-drop or rxe\n",
                   name);
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
  const char* schedule = std::getenv("FAKENIC_SCHEDULE");
  if (schedule != nullptr && std::string_view(schedule) == "seeded") {
    const char* number = std::getenv("FAKENIC_SEED");
    seed = number != nullptr ? std::strtoull(number, nullptr, 0) : 0;
    ScheduleBy(Choices(seed));
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

void Edge::ScheduleEagerly() {
  seeded.reset();
  clock.Freeze(false);
  fabric.set_messages_repeat(false);
  fabric.set_eager(true);
}

void Edge::ScheduleByHand() {
  seeded.reset();
  clock.Freeze(true);
  fabric.set_messages_repeat(false);
  fabric.set_eager(false);
}

void Edge::ScheduleBy(Choices choices) {
  seeded.emplace(std::move(choices));
  clock.Freeze(false);
  fabric.set_messages_repeat(true);
  fabric.set_eager(false);
}

void Edge::BeforePoll() {
  if (!seeded || !fabric.pending()) return;
  ++calls_;
  seeded->RunOnPoll(fabric);
}

void Edge::BeforeWait(const std::function<bool()>& there) {
  if (seeded) seeded->RunUntil(fabric, there);
}

void Edge::AfterCall() {
  if (seeded && fabric.pending()) {
    ++calls_;
    if (SomebodyIsAsleep()) {
      seeded->RunUntil(fabric, [] { return false; });
    } else {
      seeded->RunSome(fabric);
    }
  }
  ArmTimers();
}

// Whoever armed a CQ may wait on its descriptor, where no call tells of it.
bool Edge::SomebodyIsAsleep() {
  bool armed = false;
  fabric.device().ForEachQp(
      [&](const Qp& qp) { armed = armed || qp.send_cq().armed() || qp.recv_cq().armed(); });
  return armed;
}

// A thread that sleeps until an earlier deadline need not be told of a later one.
void Edge::ArmTimers() {
  if (clock.frozen()) return;
  const bool left = seeded && fabric.pending();
  const auto deadline = NextDeadline();
  if (!left && (!deadline || (awaited_ns_ != 0 && awaited_ns_ <= *deadline))) return;
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
  constexpr uint64_t kNever = UINT64_MAX;
  constexpr uint64_t kIdleNs = 200'000'000;
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    const bool idle = seeded && fabric.pending();
    const uint64_t due = clock.frozen() ? kNever : NextDeadline().value_or(kNever);
    const uint64_t now = clock.NowNs();
    if (due <= now) {
      FireTimers();
    } else if (idle || due != kNever) {
      const uint64_t calls = calls_;
      const uint64_t until_due = due == kNever ? kNever : (due - now - 1) / clock.rate() + 1;
      const std::chrono::nanoseconds sleep(idle ? std::min(kIdleNs, until_due) : until_due);
      awaited_ns_ = due == kNever ? 0 : due;
      const bool slept = timers_changed_.wait_for(lock, sleep) == std::cv_status::timeout;
      awaited_ns_ = 0;
      const bool forgotten = slept && sleep.count() == kIdleNs && calls == calls_;
      if (forgotten && seeded) seeded->RunUntil(fabric, [] { return false; });
    } else {
      timers_changed_.wait(lock);
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
