#include "property_tests/report/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "property_tests/report/writers.h"

namespace conformance {

namespace {

struct Kind {
  Form form;
  const char* name;
  std::string (*write)(const RunResult&);
};
constexpr Kind kKinds[] = {{Form::kJson, "report.json", ToJson},
                           {Form::kJunit, "report.xml", ToJunit},
                           {Form::kTap, "report.tap", ToTap},
                           {Form::kMarkdown, "report.md", ToMarkdown},
                           {Form::kHtml, "report.html", ToHtml}};

[[noreturn]] void Throw(const std::string& path) {
  throw std::runtime_error(path + ": cannot be written: " + std::strerror(errno));
}

}  // namespace

std::vector<ReportFile> AllFormsIn(const std::string& folder) {
  std::vector<ReportFile> files;
  for (const Kind& kind : kKinds) files.push_back({kind.form, folder + "/" + kind.name});
  return files;
}

void Write(const RunResult& run, const ReportFile& file) {
  const std::string text = kKinds[static_cast<int>(file.form)].write(run);
  const std::string fresh = file.path + ".new";
  const bool plain = file.path == "/dev/stdout" || file.path == "/dev/stderr";
  std::ofstream out(plain ? file.path : fresh, std::ios::binary);
  if (!out) Throw(file.path);
  out << text << std::flush;
  if (!out) Throw(file.path);
  out.close();
  if (!plain && std::rename(fresh.c_str(), file.path.c_str()) != 0) Throw(file.path);
}

bool ReportFiles::due() const {
  constexpr std::chrono::milliseconds kPause(300);
  return !files_.empty() && std::chrono::steady_clock::now() - written_ > kPause;
}

void ReportFiles::Write(const RunResult& run) {
  for (const ReportFile& file : files_) conformance::Write(run, file);
  written_ = std::chrono::steady_clock::now();
}

}  // namespace conformance
