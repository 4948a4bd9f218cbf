// `replay --gdb`
#pragma once

#include "property_tests/command_line.h"

namespace conformance {

// How the process that gdb debugs is told apart from the program a user starts.
inline constexpr char kAloneArgument[] = "__alone";

// Becomes gdb on a process that runs the cases itself, and stops where the first begins.
int GdbCommand(const Request& request);

// What gdb debugs: library, "fake" or "system", folder of the fake, address, and the cases.
int RunAlone(int argc, char** argv);

}  // namespace conformance
