#include "property_tests/runner/process_load.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace conformance {

namespace {

std::ifstream Open(pid_t pid, const char* file) {
  return std::ifstream("/proc/" + std::to_string(pid) + "/" + file);
}

}  // namespace

std::uint64_t MemoryOf(pid_t pid) {
  std::ifstream in = Open(pid, "statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  in >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::chrono::nanoseconds WaitedForProcessor(pid_t pid) {
  std::ifstream in = Open(pid, "schedstat");
  std::chrono::nanoseconds::rep ran = 0;
  std::chrono::nanoseconds::rep waited = 0;
  in >> ran >> waited;
  return std::chrono::nanoseconds(waited);
}

}  // namespace conformance
