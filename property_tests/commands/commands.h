// The subcommands: each returns the exit status.
#pragma once

#include "property_tests/command_line.h"

namespace conformance {

int RunCommand(const Request& request);
int ListCommand(const Request& request);
int ExplainCommand(const Request& request);
int ReplayCommand(const Request& request);
int SweepCommand(const Request& request);
int ReportCommand(const Request& request);
int CompareCommand(const Request& request);
int UpdateCommand(const Request& request);

}  // namespace conformance
