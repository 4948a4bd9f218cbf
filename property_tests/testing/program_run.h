// Runs a program and keeps what it printed and how it ended.
#pragma once

#include <string>
#include <vector>

namespace conformance {

struct ProgramRun {
  int status = -1;  // exit status
  std::string out;
  std::string err;

  std::vector<std::string> lines() const;  // of out
  std::string line_with(
      const std::string& text) const;  // the first line of out that contains it, or ""
};

// `environment`: NAME=VALUE, on top of this process's.
ProgramRun RunProgram(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& environment = {});

// rpma-conformance with these arguments; its place is known from the build.
ProgramRun Conformance(std::vector<std::string> arguments,
                       const std::vector<std::string>& environment = {});

// The rules that a report calls anything but held, as "VERDICT id", in its order.
std::vector<std::string> NotHeld(const ProgramRun& run);
// The texts, with "; " between them.
std::string Join(const std::vector<std::string>& texts);

bool Contains(const std::string& text, const std::string& part);

// Where Debian's package puts its library.
inline constexpr char kDebian[] = "/usr/lib/x86_64-linux-gnu/librpma.so.0";

// Where the build put the libraries that tests need.
std::string ReferenceLibrary();
std::string PlantedLibrary();
std::string PlantedCallsLibrary();
// The folder of the libraries that are linked wrongly, each named by the rule that it breaks.
std::string PlantedFilesFolder();
std::string FakeFolder();
// The folder of the expectations files.
std::string ExpectationsFolder();

}  // namespace conformance
