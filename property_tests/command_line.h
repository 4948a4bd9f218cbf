// What the user asked for.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "property_tests/report/files.h"
#include "property_tests/report/run_result.h"
#include "property_tests/stack.h"

namespace conformance {

enum class Command { kRun, kList, kExplain, kReplay, kSweep, kReport, kCompare, kUpdate };

enum class Mode { kQuick, kCi, kCertify };
std::string_view NameOf(Mode mode);

struct Request {
  Command command = Command::kRun;
  std::vector<Stack> stacks;  // at least one for what needs a library
  Amount amount;
  bool seed_given = false;
  Mode mode = Mode::kCi;
  int workers = 1;
  std::optional<std::chrono::seconds> budget;
  // Selection: a rule has to match one glob of each kind that is given, and no exclusion.
  std::vector<std::string> globs;     // of rule ids
  std::vector<std::string> pages;     // of names of functions
  std::vector<std::string> sections;  // of sections of pages
  std::vector<std::string> excluded;  // of rule ids
  std::string rerun;                  // a JSON report whose failures are run again
  std::string expectations;           // file of what is known to be broken; "": none
  std::string corpus;                 // folder of cases that have failed; "": none of the user's
  bool fail_on_skip = false;
  std::vector<ReportFile> reports;
  std::string report_folder;

  std::string text;                // the rule to explain
  std::vector<std::string> cases;  // to replay
  bool as_c = false;               // print them as C instead
  bool gdb = false;                // run them under gdb
  std::vector<std::string> files;  // JSON reports, or folders of runs
  std::string reason;              // for entries that `expectations update` writes
};

// Parses the command line. If the program is to end at once, sets `exit_status` (help was printed,
// or a usage error).
std::optional<Request> ParseCommandLine(int argc, char** argv, int& exit_status);

// "90", "90s", "5m" or "1h".
std::optional<std::chrono::seconds> ParseDuration(const std::string& text);

}  // namespace conformance
