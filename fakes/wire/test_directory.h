// For tests: a directory of a fabric that goes with the test.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace fakenic {

class TestDirectory {
 public:
  TestDirectory() {
    char name[] = "/tmp/fakenic-test-XXXXXX";
    const char* made = mkdtemp(name);
    path = made != nullptr ? made : "";
  }
  ~TestDirectory() {
    if (getpid() == maker_) std::filesystem::remove_all(path);
  }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;

  std::string path;

 private:
  pid_t maker_ = getpid();  // not a child that exits
};

}  // namespace fakenic
