// fakenic_mesh COUNT [SEED]: as many processes, each connected to every other, write to each other
// and check what they got. Then a third of them, chosen by the seed, is killed; the rest must hear
// of it, and their writes must end as they have to. Prints the times and the memory of a
// connection.
#include <dirent.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "member.h"

namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The memory of a process, what it shares with others in proportion.
double MemoryKib(pid_t pid) {
  std::ifstream rollup("/proc/" + std::to_string(pid) + "/smaps_rollup");
  for (std::string word; rollup >> word;) {
    double kib = 0;
    if (word == "Pss:" && rollup >> kib) return kib;
  }
  return 0;
}

double MemoryKib(const std::vector<pid_t>& pids) {
  double sum = 0;
  for (const pid_t pid : pids) sum += MemoryKib(pid);
  return sum;
}

// False if a process has ended meanwhile.
bool Await(const std::atomic<int>& what, int value) {
  while (what < value) {
    usleep(1000);
    int status = 0;
    if (waitpid(-1, &status, WNOHANG) > 0) return false;
  }
  return true;
}

class Mesh {
 public:
  Mesh(Board& board, int count) : board_(board), count_(count) {}
  ~Mesh() {
    for (const pid_t pid : pids_) kill(pid, SIGKILL);
    while (wait(nullptr) > 0) {
    }
  }

  bool Start() {
    for (int i = 0; i < count_; ++i) {
      const pid_t pid = fork();
      if (pid == 0) std::exit(Live(board_, i, count_));
      if (pid < 0) return false;
      pids_.push_back(pid);
    }
    return Await(board_.listening, count_);
  }

  bool Connect() {
    const double before = MemoryKib(pids_);
    const auto start = Clock::now();
    board_.go = kConnect;
    if (!Await(board_.connected, count_)) return false;
    const int connections = count_ * (count_ - 1) / 2;
    std::printf("%d processes, %d connections in %.2f s\n", count_, connections, Since(start));
    const auto writing = Clock::now();
    board_.go = kWrite;
    if (!Await(board_.checked, count_)) return false;
    std::printf("%d writes, checked, in %.2f s\n", 2 * connections, Since(writing));
    std::printf("memory of a connection, both ends: %.1f KiB\n",
                (MemoryKib(pids_) - before) / connections);
    return true;
  }

  bool KillSome(unsigned seed) {
    std::vector<int> order(static_cast<size_t>(count_));
    for (int i = 0; i < count_; ++i) order[static_cast<size_t>(i)] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    order.resize(static_cast<size_t>(count_ / 3));
    const auto start = Clock::now();
    for (const int i : order) {
      board_.killed[i] = 1;
      kill(pids_[static_cast<size_t>(i)], SIGKILL);
      waitpid(pids_[static_cast<size_t>(i)], nullptr, 0);
    }
    board_.go = kWriteAgain;
    if (!Await(board_.ended, count_ - static_cast<int>(order.size()))) return false;
    const double seconds = Since(start);
    board_.go = kEnd;
    int good = 0;
    for (int i = 0; i < count_; ++i) {
      if (board_.killed[i]) continue;
      int status = 0;
      waitpid(pids_[static_cast<size_t>(i)], &status, 0);
      good += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    pids_.clear();
    std::printf("%zu killed, %d of %d others end well, after %.2f s\n", order.size(), good,
                count_ - static_cast<int>(order.size()), seconds);
    return good == count_ - static_cast<int>(order.size());
  }

 private:
  Board& board_;
  int count_;
  std::vector<pid_t> pids_;
};

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 0;
  if (count < 3 || count > kMost) {
    std::fprintf(stderr, "usage: fakenic_mesh COUNT [SEED], COUNT from 3 to %d\n", kMost);
    return 64;
  }
  char directory[] = "/tmp/fakenic-mesh-XXXXXX";
  void* memory =
      mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mkdtemp(directory) == nullptr || memory == MAP_FAILED) {
    std::perror("fakenic_mesh");
    return 3;
  }
  setenv("FAKENIC_FABRIC", directory, 1);
  auto& board = *new (memory) Board;
  const unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  Mesh mesh(board, count);
  const bool good = mesh.Start() && mesh.Connect() && mesh.KillSome(seed);
  std::filesystem::remove_all(directory);
  return good ? 0 : 1;
}
