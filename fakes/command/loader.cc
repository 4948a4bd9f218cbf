#include "command/loader.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace fakenic {
namespace {

// What the loader writes when it lists a program's libraries; errors go nowhere.
std::string List(const std::string& interpreter, const std::string& program,
                 const std::string& library_path) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    close(ends[0]);
    setenv("LD_LIBRARY_PATH", library_path.c_str(), 1);
    setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);  // the loader lists, and runs nothing
    execl(interpreter.c_str(), interpreter.c_str(), program.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(got));
  }
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return text;
}

}  // namespace

std::string LibraryPath(const std::string& fake_dir) {
  const char* before = std::getenv("LD_LIBRARY_PATH");
  if (before == nullptr || *before == '\0') return fake_dir;
  return fake_dir + ":" + before;
}

std::vector<LoadedLibrary> TraceLoad(const std::string& interpreter, const std::string& program,
                                     const std::string& fake_dir) {
  std::vector<LoadedLibrary> libraries;
  std::istringstream lines(List(interpreter, program, LibraryPath(fake_dir)));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, arrow, path;
    words >> name >> arrow >> path;
    if (arrow == "=>") {
      libraries.push_back({name, path == "not" ? "" : path});
    } else if (name.starts_with('/')) {  // named by its path, as LD_PRELOAD does
      libraries.push_back({name.substr(name.rfind('/') + 1), name});
    }
  }
  return libraries;
}

}  // namespace fakenic
