#include "property_tests/runner/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "property_tests/runner/process_load.h"
#include "property_tests/worker/stack_trace.h"
#include "property_tests/worker/worker.h"

namespace conformance {

volatile bool g_interrupted = false;

namespace {

using Clock = std::chrono::steady_clock;

// No case needs nearly as much.
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostOutput = std::uint64_t{16} << 20;
constexpr std::uint64_t kMebibyte = 1 << 20;

int OpenBoard(const std::string& file) {
  if (file.empty()) return memfd_create("conformance-board", MFD_CLOEXEC);
  return open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

std::chrono::seconds Patience(const Stack& stack, Phase phase) {
  if (!stack.fake) return std::chrono::seconds(60);
  if (phase == Phase::kSetUp) return std::chrono::seconds(10);
  return std::chrono::seconds(stack.ends == Ends::kTwoProcesses ? 4 : 2);
}

// Times the call that a worker is in. What its processes wait for a processor on a busy machine is
// not the library's doing, and does not count.
class CallTimer {
 public:
  explicit CallTimer(pid_t worker) : worker_(worker) {}

  void Restart() { *this = CallTimer(worker_); }

  bool IsOver(std::chrono::seconds patience, pid_t far_end) {
    const Clock::duration took = Clock::now() - began_;
    if (took < kShort) return false;
    const std::chrono::nanoseconds waited =
        WaitedForProcessor(worker_) + (far_end > 0 ? WaitedForProcessor(far_end) : kNone);
    if (waited_before_ == kUnknown) waited_before_ = waited;
    return took - (waited - waited_before_) > patience;
  }

 private:
  static constexpr std::chrono::milliseconds kShort{100};  // nearly all are over by then
  static constexpr std::chrono::nanoseconds kNone{0}, kUnknown{-1};

  pid_t worker_;
  Clock::time_point began_ = Clock::now();
  std::chrono::nanoseconds waited_before_ = kUnknown;
};

std::string Describe(int status) {
  if (WIFSIGNALED(status))
    return "the library crashed the process with signal " + std::to_string(WTERMSIG(status)) +
           " (" + strsignal(WTERMSIG(status)) + ")";
  return "the library ended the process with exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

// The fake's libraries come first; what else was there stays.
void PointAtFake(const std::string& dir, const std::string& fabric) {
  const char* old = std::getenv("LD_LIBRARY_PATH");
  const std::string path = old != nullptr && *old != '\0' ? dir + ":" + old : dir;
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  // Nobody but the worker and its far end meets there, whatever else runs here.
  setenv("FAKENIC_FABRIC", fabric.empty() ? "off" : fabric.c_str(), 1);
}

bool IsAbnormal(Ending ending) {
  return ending == Ending::kCrashed || ending == Ending::kExited || ending == Ending::kTimedOut ||
         ending == Ending::kTooMuchMemory || ending == Ending::kTooMuchOutput;
}

WorkerProcess::WorkerProcess(Stack stack, Amount amount, const std::string& board_file)
    : stack_(std::move(stack)), amount_(amount) {
  board_fd_ = OpenBoard(board_file);
  if (board_fd_ < 0 || ftruncate(board_fd_, sizeof(Board)) != 0)
    throw std::runtime_error(std::string("shared page: ") + std::strerror(errno));
  void* page = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, board_fd_, 0);
  if (page == MAP_FAILED)
    throw std::runtime_error(std::string("shared page: ") + std::strerror(errno));
  board_ = new (page) Board{};
  board_->strict = amount_.strict;
}

WorkerProcess::~WorkerProcess() {
  Kill();
  RemoveFabric();
  munmap(board_, sizeof(Board));
  close(board_fd_);
}

// Of the worker before it, which may have left anything there.
void WorkerProcess::RemoveFabric() {
  std::error_code ignored;
  if (!fabric_.empty()) std::filesystem::remove_all(fabric_, ignored);
  fabric_.clear();
}

// A fabric of its own for the worker and its far end.
void WorkerProcess::MakeFabric() {
  RemoveFabric();
  if (!stack_.fake || stack_.ends == Ends::kOneProcess) return;
  std::string name = std::filesystem::temp_directory_path() / "rpma-conformance-XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("folder " + name + ": " + std::strerror(errno));
  fabric_ = name;
}

void WorkerProcess::Kill() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    DrainOutput();
  }
  pid_ = -1;
  if (channel_.fd() >= 0) close(channel_.fd());
  if (output_fd_ >= 0) close(output_fd_);
  channel_ = Channel(-1);
  output_fd_ = -1;
}

// In the child, between fork and exec.
void WorkerProcess::Spawn(int channel, int output) {
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  const int board = dup(board_fd_);  // without close-on-exec
  if (stack_.fake) PointAtFake(stack_.fake_dir, fabric_);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);   // a crash is a verdict
  personality(ADDR_NO_RANDOMIZE);  // where that is allowed: what a bug does is then repeated
  const std::string fields[] = {std::to_string(channel),
                                std::to_string(board),
                                stack_.sut,
                                stack_.fake ? "fake" : "system",
                                stack_.fake_dir,
                                stack_.address,
                                stack_.ends == Ends::kTwoProcesses ? "two" : "one",
                                std::to_string(amount_.seed),
                                std::to_string(amount_.sample)};
  std::vector<const char*> arguments{"rpma-conformance", kWorkerArgument};
  for (const std::string& field : fields) arguments.push_back(field.c_str());
  arguments.push_back(nullptr);
  execv("/proc/self/exe", const_cast<char* const*>(arguments.data()));
  _exit(70);
}

Outcome WorkerProcess::Start() {
  int sockets[2];
  int pipes[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 ||
      pipe2(pipes, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("worker: ") + std::strerror(errno));
  board_->phase = Phase::kSetUp;
  board_->stack[0] = '\0';
  output_.clear();
  first_output_.clear();
  printed_ = 0;
  board_->far_end = 0;
  board_->far_end_works = false;
  MakeFabric();
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error(std::string("worker: fork: ") + std::strerror(errno));
  if (pid_ == 0) Spawn(dup(sockets[1]), pipes[1]);
  close(sockets[1]);
  close(pipes[1]);
  channel_ = Channel(sockets[0]);
  output_fd_ = pipes[0];
  fcntl(output_fd_, F_SETFL, O_NONBLOCK);
  ++starts_;
  ready_.clear();
  const Outcome outcome = Await([this](const std::vector<std::string>& answer) {
    if (answer[0] == answer::kReady) ready_ = answer;
  });
  if (!ready_.empty() || outcome.ending == Ending::kInterrupted) return outcome;
  Kill();
  if (outcome.ending == Ending::kUnusable) return outcome;
  return {Ending::kUnusable, "set-up of a connection: " + outcome.sentence, outcome.stack,
          outcome.output};
}

Outcome WorkerProcess::Prepare() { return pid_ < 0 ? Start() : Outcome{}; }

Outcome WorkerProcess::Ask(const std::vector<std::string>& request, const OnAnswer& on_answer) {
  const Outcome prepared = Prepare();
  if (prepared.ending != Ending::kDone) return prepared;
  std::string message;
  for (const std::string& field : request) message += field + '\0';
  message.pop_back();
  channel_.Send({message});
  Outcome outcome = Await(on_answer);
  if (outcome.ending != Ending::kDone) Kill();
  return outcome;
}

Outcome WorkerProcess::Await(const OnAnswer& on_answer) {
  std::uint64_t beat = board_->beat;
  CallTimer timer(pid_);
  Clock::time_point ticked = Clock::now();
  Clock::time_point looked = ticked;
  while (!g_interrupted) {
    pollfd fds[2] = {{channel_.fd(), POLLIN, 0}, {output_fd_, POLLIN, 0}};
    poll(fds, 2, 20);
    if (fds[1].revents != 0) DrainOutput();
    if (fds[0].revents != 0) {
      const std::optional<std::vector<std::string>> message = channel_.Receive();
      if (!message) return Reap();
      if (message->front() == answer::kProblem) return {Ending::kUnusable, message->at(1), "", ""};
      if (message->front() == answer::kDone) return {};
      on_answer(*message);
      if (message->front() == answer::kReady) return {};
    }
    const Clock::time_point now = Clock::now();
    if (board_->beat != beat || fds[0].revents != 0) {
      beat = board_->beat;
      timer.Restart();
      printed_ = 0;
    }
    if (printed_ > kMostOutput)
      return GiveUp(Ending::kTooMuchOutput, "the call printed more than " +
                                                std::to_string(kMostOutput / kMebibyte) +
                                                " MiB and did not return");
    if (on_tick_ && now - ticked > std::chrono::milliseconds(100)) {
      ticked = now;
      on_tick_();
    }
    const pid_t far_end = board_->far_end;
    if (now - looked > std::chrono::milliseconds(20)) {
      looked = now;
      if (MemoryOf(pid_) + (far_end > 0 ? MemoryOf(far_end) : 0) > kMostMemory)
        return GiveUp(Ending::kTooMuchMemory, "the process held more than " +
                                                  std::to_string(kMostMemory / kMebibyte) +
                                                  " MiB of memory");
    }
    const std::chrono::seconds patience = Patience(stack_, board_->phase);
    if (timer.IsOver(patience, far_end))
      return GiveUp(Ending::kTimedOut,
                    "the call did not return within " + std::to_string(patience.count()) + " s");
  }
  return {Ending::kInterrupted, "interrupted", "", ""};
}

// The worker gets the time to write down where it is.
Outcome WorkerProcess::GiveUp(Ending ending, std::string sentence) {
  constexpr int kSteps = 50;
  kill(pid_, kSignalOfTheRunner);
  for (int i = 0; i < kSteps; ++i) {
    DrainOutput();
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) {
      pid_ = -1;
      break;
    }
    usleep(10000);
  }
  return WithTraces({ending, std::move(sentence), "", ""});
}

Outcome WorkerProcess::WithTraces(Outcome outcome) const {
  outcome.stack = board_->stack.data();
  outcome.output = outcome.ending == Ending::kTooMuchOutput ? first_output_ : output_;
  return outcome;
}

Outcome WorkerProcess::Reap() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  DrainOutput();
  return WithTraces(
      {WIFSIGNALED(status) ? Ending::kCrashed : Ending::kExited, Describe(status), "", ""});
}

void WorkerProcess::DrainOutput() {
  constexpr std::size_t kKept = 2048;
  char chunk[65536];
  for (int i = 0; i < 16; ++i) {
    const ssize_t got = read(output_fd_, chunk, sizeof chunk);
    if (got <= 0) {
      if (got == 0) {  // closed by the library, or by the end of the worker
        close(output_fd_);
        output_fd_ = -1;
      }
      break;
    }
    printed_ += static_cast<std::uint64_t>(got);
    if (first_output_.size() < kKept)
      first_output_.append(chunk,
                           std::min(kKept - first_output_.size(), static_cast<std::size_t>(got)));
    output_.append(chunk, static_cast<std::size_t>(got));
    if (output_.size() > kKept) output_.erase(0, output_.size() - kKept);
  }
}

}  // namespace conformance
