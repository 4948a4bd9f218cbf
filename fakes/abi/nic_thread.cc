// The NIC's own thread: fires timers, and serves packets while no program polls for them.
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "abi/edge.h"

namespace fakenic {
namespace {

constexpr uint64_t kNever = UINT64_MAX;
constexpr uint64_t kIdleNs = 200'000'000;  // see fakenic.h, SEEDED
constexpr uint64_t kPollingNs = 2'000'000;
constexpr uint64_t kLookOutNs = 25'000;

}  // namespace

std::optional<uint64_t> Edge::NextDeadline() const {
  std::optional<uint64_t> next = fabric.NextDeadline();
  if (const auto connection = cm.NextDeadline())
    next = std::min(next.value_or(kNever), *connection);
  if (const uint64_t arrival = network.NextArrival(); arrival != 0) {
    next = std::min(next.value_or(kNever), arrival);
  }
  return next;
}

// The program's signals are for its own threads.
void Edge::StartThread() {
  if (thread_) {
    WakeThread();
    return;
  }
  thread_ = true;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(&Edge::ThreadLoop, this).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Edge::WakeThread() {
  if (thread_) network.Ring();
}

// A thread that sleeps until an earlier deadline need not be told of a later one.
void Edge::ArmTimers() {
  if (clock.frozen()) return;
  const bool left = seeded && fabric.pending();
  const auto deadline = NextDeadline();
  if (!left && (!deadline || (awaited_ns_ != 0 && awaited_ns_ <= *deadline))) return;
  StartThread();
}

void Edge::SetClockRate(uint32_t rate) {
  clock.SetRate(rate);
  WakeThread();
}

void Edge::AdvanceClock(uint64_t ns) {
  const uint64_t target = clock.NowNs() + ns;
  uint64_t passed = 0;
  while (const auto deadline = NextDeadline()) {  // each in its turn: one may start the next
    if (*deadline > target || *deadline <= passed) break;
    passed = *deadline;
    if (const uint64_t now = clock.NowNs(); *deadline > now) clock.Advance(*deadline - now);
    FireTimers();
  }
  if (const uint64_t now = clock.NowNs(); now < target) clock.Advance(target - now);
  WakeThread();
}

// Whether it has looked for packets so often since the thread did that it will do so again at once.
bool Edge::ProgramPolls() {
  constexpr uint64_t kOften = 64;
  const bool often = polls_ - polls_seen_ >= kOften;
  polls_seen_ = polls_;
  return often;
}

// What is under way is often there before two threads could be woken for it, the NIC's and then the
// one that waits; whoever sends it need not ring.
void Edge::LookOut(std::unique_lock<EdgeMutex>& lock, const std::function<bool()>& there) {
  if (there() || seeded || !network.has_links()) return;
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::nanoseconds(kLookOutNs);
  network.StayAwake();
  while (!there() && Clock::now() < until) {
    lock.unlock();
    lock.lock();
    network.Drain();
  }
  while (!network.FallAsleep()) network.Drain();
}

// On the machine's clock, how long until the thread has something to do.
uint64_t Edge::NextDue() const {
  const auto deadline = clock.frozen() ? std::nullopt : NextDeadline();
  if (!deadline) return kNever;
  const uint64_t now = clock_now_;
  return *deadline <= now ? 0 : (*deadline - now - 1) / clock.rate() + 1;
}

// Until somebody rings, a socket has something to say, or the time is over: then true.
bool Edge::Sleep(std::unique_lock<EdgeMutex>& lock, uint64_t ns) {
  pollfd watched[] = {{network.doorbell(), POLLIN, 0}, {network.sockets(), POLLIN, 0}};
  const timespec timeout{static_cast<time_t>(ns / 1'000'000'000),
                         static_cast<long>(ns % 1'000'000'000)};
  lock.unlock();
  const int woken = ppoll(watched, 2, ns == kNever ? nullptr : &timeout, nullptr);
  lock.lock();
  rung_ = watched[0].revents != 0;
  if (watched[1].revents != 0) network.ServeSockets();
  return woken == 0;
}

// Whether somebody had rung: then there may be more to do by now.
bool Edge::SilenceBell() {
  if (!std::exchange(rung_, false)) return false;
  uint64_t rings;
  [[maybe_unused]] const ssize_t taken = read(network.doorbell(), &rings, sizeof rings);
  return true;
}

void Edge::ThreadLoop() {
  std::unique_lock<EdgeMutex> lock(mutex);
  while (true) {
    if (network.Drain() && seeded && fabric.pending()) AfterCall();
    if (SilenceBell()) continue;  // after what came was answered: the peer waits for that
    clock_now_ = clock.NowNs();
    const uint64_t due = NextDue();
    if (due == 0) {
      FireTimers();
      continue;
    }
    const bool idle = seeded && fabric.pending();
    const bool polled = network.has_links() && ProgramPolls();
    if (!polled && !network.FallAsleep()) continue;
    const uint64_t longest = polled ? kPollingNs : idle ? kIdleNs : kNever;
    const uint64_t sleep = std::min(due, longest);
    const uint64_t calls = calls_;
    awaited_ns_ = sleep == kNever ? 0 : clock_now_ + sleep * clock.rate();
    const bool slept = Sleep(lock, sleep);
    awaited_ns_ = 0;
    network.StayAwake();
    const bool forgotten = idle && slept && sleep == kIdleNs && calls == calls_;
    if (forgotten && seeded) seeded->RunUntil(fabric, [] { return false; });
  }
}

}  // namespace fakenic
