// rpma-conformance: judges any librpma over any NIC.
#include <signal.h>

#include <cstring>
#include <exception>
#include <iostream>

#include "property_tests/commands/commands.h"
#include "property_tests/commands/gdb.h"
#include "property_tests/commands/selection.h"
#include "property_tests/worker/worker.h"

namespace conformance {

namespace {

int Do(const Request& request) {
  switch (request.command) {
    case Command::kRun:
      return RunCommand(request);
    case Command::kList:
      return ListCommand(request);
    case Command::kExplain:
      return ExplainCommand(request);
    case Command::kReplay:
      return ReplayCommand(request);
    case Command::kSweep:
      return SweepCommand(request);
    case Command::kReport:
      return ReportCommand(request);
    case Command::kCompare:
      return CompareCommand(request);
    case Command::kUpdate:
      return UpdateCommand(request);
  }
  return kExitInternal;
}

int Main(int argc, char** argv) {
  int exit_status = 0;
  const std::optional<Request> request = ParseCommandLine(argc, argv, exit_status);
  if (!request) return exit_status;
  struct sigaction interrupt {};
  interrupt.sa_handler = [](int) { g_interrupted = true; };
  // SIGPIPE: whoever read the report has gone, as `head` does.
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaction(signal, &interrupt, nullptr);
  return Do(*request);
}

}  // namespace

}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  if (argc > 1 && std::strcmp(argv[1], kWorkerArgument) == 0) WorkerMain(argc, argv);
  if (argc > 1 && std::strcmp(argv[1], kAloneArgument) == 0) return RunAlone(argc, argv);
  try {
    return Main(argc, argv);
  } catch (const UsageError& error) {
    std::cerr << error.what() << '\n';
    return kExitUsage;
  } catch (const std::exception& error) {
    std::cerr << "internal error: " << error.what() << '\n';
    return kExitInternal;
  }
}
