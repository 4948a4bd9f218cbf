// A folder that goes with the test; no other test has it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace conformance {

class TempFolder {
 public:
  TempFolder() : path_(testing::TempDir() + "rpma-testbed-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "no folder " << path_;
  }
  ~TempFolder() {
    std::error_code ignored;
    if (getpid() == maker_) std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  const pid_t maker_ = getpid();  // not a child that exits
};

}  // namespace conformance
