// The reports that the user wants as files. They are written anew as results come, each at once as
// a whole, so that whatever ends the run leaves what was known on disk.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "property_tests/report/run_result.h"

namespace conformance {

enum class Form { kJson, kJunit, kTap, kMarkdown, kHtml };

struct ReportFile {
  Form form;
  std::string path;
};

// All forms into one folder: report.json, report.html ...
std::vector<ReportFile> AllFormsIn(const std::string& folder);

// Writes it in one form. Throws std::runtime_error with a sentence that names the file.
void Write(const RunResult& run, const ReportFile& file);

class ReportFiles {
 public:
  // Throws std::runtime_error if one of the files cannot be written.
  explicit ReportFiles(std::vector<ReportFile> files) : files_(std::move(files)) {}

  bool empty() const { return files_.empty(); }
  // True, at most a few times a second: what is known should be written.
  bool due() const;
  void Write(const RunResult& run);

 private:
  std::vector<ReportFile> files_;
  std::chrono::steady_clock::time_point written_{};
};

}  // namespace conformance
