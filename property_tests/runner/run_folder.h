// Where a run keeps what must survive it: the report so far, and what each of its workers is about
// to do. A run that ends in order removes it.
#pragma once

#include <string>
#include <vector>

#include "property_tests/runner/part.h"

namespace conformance {

class RunFolder {
 public:
  // A new one in the folder for temporary files. Throws std::runtime_error.
  RunFolder();
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The file in which the worker of a part says what it is about to do.
std::string BoardOf(const std::string& folder, const Part& part);
std::string ReportOf(const std::string& folder);
// The rule that this worker had on trial, or nullptr if it had none.
const spec::Rule* RuleOnTrialOn(const std::string& board_file);
// Of a run that was killed: a line about each case that was running.
std::vector<std::string> WhatWasRunning(const std::string& folder);

}  // namespace conformance
