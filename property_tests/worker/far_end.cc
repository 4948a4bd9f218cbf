#include "property_tests/worker/far_end.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>

// Of the leak sanitizer, where the suite is built with it.
extern "C" __attribute__((weak)) void __lsan_disable();

namespace conformance {

namespace {

constexpr std::uint32_t kHere = 0;
constexpr std::uint32_t kThere = 1;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMemoryBytes = std::size_t{256} << 20;  // only what is touched is taken

void Wake(std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

// Until the word is this; false after a moment, so that the caller can look whether it ever will.
bool Await(const std::atomic<std::uint32_t>& word, std::uint32_t wanted) {
  constexpr int kLooks = 2000;
  constexpr timespec kMoment{0, 20'000'000};
  for (int i = 0; i < kLooks; ++i)
    if (word.load(std::memory_order_acquire) == wanted) return true;
  syscall(SYS_futex, &word, FUTEX_WAIT, 1 - wanted, &kMoment, nullptr, 0);
  return word.load(std::memory_order_acquire) == wanted;
}

void* Map(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::runtime_error(std::string("shared memory: ") + std::strerror(errno));
  return memory;
}

}  // namespace

FarEnd::FarEnd(Board* board) : board_(board) {
  box_ = new (Map(sizeof(Box))) Box;
  memory_ = static_cast<std::byte*>(Map(kMemoryBytes));
  const pid_t worker = getpid();
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (pid_ > 0) {
    board_->far_end = pid_;
    return;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // What its library makes is held by the judge, where no leak checker of this process looks.
  if (__lsan_disable != nullptr) __lsan_disable();
  if (getppid() != worker) _exit(0);  // it was gone before that
  Serve();
}

FarEnd::~FarEnd() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  munmap(memory_, kMemoryBytes);
  munmap(box_, sizeof(Box));
}

void* FarEnd::Allocate(std::size_t bytes) {
  const std::size_t pages = (bytes + kPage - 1) / kPage * kPage;
  if (pages > kMemoryBytes - used_) return nullptr;
  void* block = memory_ + used_;
  used_ += pages;
  return block;
}

void* FarEnd::Keep(std::size_t bytes) {
  void* block = Allocate(bytes);
  kept_ = used_;
  return block;
}

void FarEnd::Serve() {
  while (true) {
    while (!Await(box_->turn, kThere)) {
    }
    box_->function(box_->job);
    box_->turn.store(kHere, std::memory_order_release);
    Wake(box_->turn);
  }
}

void FarEnd::Run(Function function) {
  box_->function = function;
  board_->far_end_works = true;
  box_->turn.store(kThere, std::memory_order_release);
  Wake(box_->turn);
  while (!Await(box_->turn, kHere)) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) EndAsItDid(status);
  }
  board_->far_end_works = false;
}

// The stack on the board is that of the far end.
void FarEnd::EndAsItDid(int status) {
  if (!WIFSIGNALED(status)) _exit(WEXITSTATUS(status));
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
}

}  // namespace conformance
