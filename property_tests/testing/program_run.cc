#include "property_tests/testing/program_run.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace conformance {

namespace {

void Exec(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  // The shards of this program's tests are not the program's.
  for (const char* name : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) unsetenv(name);
  for (const std::string& pair : environment) {
    const std::size_t equals = pair.find('=');
    setenv(pair.substr(0, equals).c_str(), pair.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

// Reads both pipes until both are closed.
void Collect(int out, int err, ProgramRun& run) {
  pollfd fds[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  std::string* texts[2] = {&run.out, &run.err};
  for (int open = 2; open > 0;) {
    poll(fds, 2, -1);
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      char chunk[4096];
      const ssize_t got = read(fds[i].fd, chunk, sizeof chunk);
      if (got > 0) {
        texts[i]->append(chunk, static_cast<std::size_t>(got));
      } else {
        close(fds[i].fd);
        fds[i].fd = -1;
        --open;
      }
    }
  }
}

}  // namespace

std::vector<std::string> ProgramRun::lines() const {
  std::vector<std::string> lines;
  std::istringstream in(out);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string ProgramRun::line_with(const std::string& text) const {
  for (const std::string& line : lines())
    if (line.find(text) != std::string::npos) return line;
  return "";
}

ProgramRun RunProgram(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& environment) {
  int out[2];
  int err[2];
  ProgramRun run;
  if (pipe(out) != 0 || pipe(err) != 0) return run;
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    for (const int fd : {out[0], out[1], err[0], err[1]}) close(fd);
    Exec(arguments, environment);
  }
  close(out[1]);
  close(err[1]);
  Collect(out[0], err[0], run);
  int status = 0;
  waitpid(pid, &status, 0);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

ProgramRun Conformance(std::vector<std::string> arguments,
                       const std::vector<std::string>& environment) {
  arguments.insert(arguments.begin(), CONFORMANCE_PROGRAM);
  return RunProgram(arguments, environment);
}

std::vector<std::string> NotHeld(const ProgramRun& run) {
  std::vector<std::string> rules;
  for (const std::string& line : run.lines())
    for (const char* verdict : {"FAIL", "CRASH", "TIMEOUT", "EXIT", "MEMORY", "OUTPUT", "MISSING",
                                "FLAKY", "INCONCLUSIVE", "ENVIRONMENT", "INTERNAL"})
      if (line.rfind(std::string(verdict) + " ", 0) == 0) {
        const std::size_t id = line.find_first_not_of(' ', line.find(' '));
        rules.push_back(std::string(verdict) + " " + line.substr(id, line.find(' ', id) - id));
      }
  return rules;
}

std::string Join(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : "; ") + text;
  return joined;
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string ReferenceLibrary() { return CONFORMANCE_REFERENCE; }
std::string PlantedLibrary() { return CONFORMANCE_PLANTED; }
std::string PlantedCallsLibrary() { return CONFORMANCE_PLANTED_CALLS; }
std::string PlantedFilesFolder() { return CONFORMANCE_PLANTED_FILES; }
std::string FakeFolder() { return CONFORMANCE_FAKE; }
std::string ExpectationsFolder() { return CONFORMANCE_EXPECTATIONS; }

}  // namespace conformance
