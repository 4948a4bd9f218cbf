// What the user asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "property_tests/stack.h"

namespace conformance {

enum class Command { kRun, kList, kExplain, kReplay, kSweep };

struct Request {
  Command command = Command::kRun;
  Stack stack;
  Amount amount;
  std::vector<std::string> globs;  // of rule ids; none: all
  std::string expectations;        // file of what is known to be broken; "": none
  std::string text;                // the case to replay, or the rule to explain
};

inline constexpr int kExitUsage = 64;
inline constexpr int kExitInternal = 70;

// Parses the command line. If the program is to end at once, sets `exit_status` (help was printed,
// or a usage error).
std::optional<Request> ParseCommandLine(int argc, char** argv, int& exit_status);

}  // namespace conformance
