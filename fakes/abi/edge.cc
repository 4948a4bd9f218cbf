#include "abi/edge.h"

#include <ifaddrs.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "abi/objects.h"
#include "wire/directory.h"

namespace fakenic {
namespace {

bool IsMachineAddress(const Address& address) {
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

// Where the process takes part in a fabric, from the environment that `fakenic run` sets.
NetworkSettings SettingsFromEnvironment() {
  NetworkSettings settings{.directory = FabricPath().value_or("")};
  const char* host = std::getenv("FAKENIC_HOST");
  const char* addresses = std::getenv("FAKENIC_ADDR");
  if (host != nullptr) settings.host = host;
  std::istringstream list(addresses != nullptr ? addresses : "");
  for (std::string text; std::getline(list, text, ',');) {
    const Address address = Address::Parse(text.c_str());
    if (address.specified()) {
      settings.addresses.push_back(address);
    } else {
      std::fprintf(stderr, "fakenic: FAKENIC_ADDR: %s is neither an IPv4 nor an IPv6 address\n",
                   text.c_str());
    }
  }
  if (settings.host.empty()) settings.addresses.clear();
  return settings;
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

Edge::Edge() : network(SettingsFromEnvironment(), fabric, cm, clock) {
  cm.may_bind_low_ports = HasNetBindService;
  fabric.on_async_event = RaiseAsyncEvent;
  fabric.on_deadline = [this] { ArmTimers(); };
  ConnectNetwork();
  ReadEnvironment();
}

void Edge::ConnectNetwork() {
  network.is_machine_address = IsMachineAddress;
  network.on_reachable = [this] { StartThread(); };
  network.describe = [this] { return Describe(); };
  cm.hosts.is_local = [this](const Address& address) { return network.IsLocal(address); };
  if (!network.on()) return;
  cm.hosts.beyond = [this](const Address& address) { return network.Beyond(address); };
  cm.hosts.source = [this](const Address& address) { return network.SourceTo(address); };
  cm.set_network(&network);
  fabric.set_remote(&network);
  auto& claim = fabric.device().qp_numbers().claim_block;
  claim = [this, alone = claim]() mutable {
    const auto block = network.ClaimBlock();
    return block || network.on() ? block : alone();
  };
}

void Edge::ReadEnvironment() {
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
  if (const char* platform_name = std::getenv("FAKENIC_PLATFORM")) {
    const auto platform = FindPlatform(platform_name);
    if (!platform) {
      std::fprintf(stderr, "fakenic: FAKENIC_PLATFORM=%s: expected adr, adr-ddio or eadr\n",
                   platform_name);
    }
    fabric.set_platform(platform);
  }
  if (const char* without = std::getenv("FAKENIC_WITHOUT")) TakeAway(without);
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

// A list of operations with commas between.
void Edge::TakeAway(const char* operations) {
  std::istringstream list(operations);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "atomic_write") {
      offers_atomic_write = false;
    } else if (name == "flush") {
      fabric.device().TakeFlushAway();
    } else {
      std::fprintf(stderr, "fakenic: FAKENIC_WITHOUT: %s: expected atomic_write or flush\n",
                   name.c_str());
    }
  }
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
  if (network.has_links()) {
    ++polls_;
    network.Drain();
  }
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

void Edge::Abandon() {
  fabric.set_remote(nullptr);
  cm.set_network(nullptr);
  network.Abandon();
}

std::atomic<Edge*> the_edge = nullptr;

namespace {

std::mutex making;

// A child starts afresh with an edge of its own when it needs one.
void HoldBeforeFork() {
  making.lock();
  if (Edge* made = the_edge) made->mutex.lock();
}

void GoOnInParent() {
  if (Edge* made = the_edge) made->mutex.unlock();
  making.unlock();
}

void StartAfreshInChild() {
  if (Edge* made = the_edge.exchange(nullptr)) {
    made->mutex.unlock();
    made->Abandon();
  }
  making.unlock();
}

}  // namespace

Edge& MakeEdge() {
  static const int registered = pthread_atfork(HoldBeforeFork, GoOnInParent, StartAfreshInChild);
  (void)registered;
  const std::lock_guard<std::mutex> lock(making);
  Edge* made = the_edge.load(std::memory_order_acquire);
  if (made == nullptr) the_edge.store(made = new Edge, std::memory_order_release);
  return *made;
}

}  // namespace fakenic
