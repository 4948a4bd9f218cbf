#include "property_tests/runner/pool.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <stdexcept>

#include "property_tests/report/run_result.h"
#include "property_tests/runner/part_json.h"

namespace conformance {

namespace {

void WriteAll(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = write(fd, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(kExitInternal);
    at += static_cast<std::size_t>(written);
  }
}

[[noreturn]] void JudgeAndTell(const Part& part, int fd, const Pool::Callbacks& callbacks) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  PartResult result;
  try {
    result = callbacks.judge(part);
  } catch (const std::exception& error) {
    result.part = part.name();
    result.outcome = {Ending::kInternal, part.name() + ": " + error.what(), "", ""};
  }
  WriteAll(fd, ToLine(result));
  _exit(0);
}

}  // namespace

Pool::Pool(int workers) : workers_(static_cast<std::size_t>(workers)) {
  void* page =
      mmap(nullptr, sizeof *progress_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    throw std::runtime_error(std::string("shared page: ") + std::strerror(errno));
  progress_ = new (page) std::atomic<std::uint64_t>(0);
}

Pool::~Pool() { munmap(progress_, sizeof *progress_); }

void Pool::Start(const Part& part, std::size_t number, const Callbacks& callbacks) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  std::fflush(nullptr);  // else both processes print what is waiting
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (pid == 0) JudgeAndTell(part, fds[1], callbacks);
  close(fds[1]);
  running_.push_back({pid, fds[0], number, ""});
}

bool Pool::Read(Running& one) const {
  char chunk[65536];
  const ssize_t got = read(one.fd, chunk, sizeof chunk);
  if (got < 0 && errno == EINTR) return false;
  if (got > 0) one.line.append(chunk, static_cast<std::size_t>(got));
  return got <= 0;
}

PartResult Pool::ResultOf(const Running& one, const Part& part) {
  int status = 0;
  while (waitpid(one.pid, &status, 0) < 0 && errno == EINTR) {
  }
  close(one.fd);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return PartResultOf(one.line);
  PartResult result;
  result.part = part.name();
  result.outcome = {Ending::kInternal,
                    part.name() + ": the process that judged it ended with " +
                        (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                             : "status " + std::to_string(WEXITSTATUS(status))),
                    "", ""};
  return result;
}

std::vector<Part> Pool::Run(const std::vector<Part>& parts, const Callbacks& callbacks) {
  std::map<std::size_t, PartResult> waiting;  // for those before them
  std::vector<Part> unfinished;
  std::size_t started = 0;
  std::size_t handed_over = 0;
  bool stopped = false;
  while (!running_.empty() || (started < parts.size() && !stopped)) {
    while (running_.size() < workers_ && started < parts.size() && !stopped) {
      Start(parts[started], started, callbacks);
      ++started;
    }
    std::vector<pollfd> fds;
    for (const Running& one : running_) fds.push_back({one.fd, POLLIN, 0});
    poll(fds.data(), fds.size(), 100);
    if (callbacks.stop() && !stopped) {
      stopped = true;
      for (const Running& one : running_) kill(one.pid, SIGTERM);
    }
    for (std::size_t i = fds.size(); i-- > 0;) {
      if (fds[i].revents == 0 || !Read(running_[i])) continue;
      const Running one = std::move(running_[i]);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      PartResult result = ResultOf(one, parts[one.part]);
      if (result.outcome.ending == Ending::kInterrupted) unfinished.push_back(parts[one.part]);
      waiting.emplace(one.part, std::move(result));
    }
    for (auto next = waiting.begin(); next != waiting.end() && next->first == handed_over;
         next = waiting.erase(next), ++handed_over)
      callbacks.found(parts[next->first], std::move(next->second));
  }
  unfinished.insert(unfinished.end(), parts.begin() + static_cast<std::ptrdiff_t>(started),
                    parts.end());
  return unfinished;
}

}  // namespace conformance
