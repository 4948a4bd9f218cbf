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

// What is ignored stays so, as nohup and a shell's & ask; but not SIGPIPE, by which a reader of the
// report that has gone is noticed, as `head` goes.
void ListenForInterrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN && signal != SIGPIPE) continue;
    action = {};
    action.sa_handler = [](int) { g_interrupted = true; };
    sigaction(signal, &action, nullptr);
  }
}

int Main(int argc, char** argv) {
  int exit_status = 0;
  const std::optional<Request> request = ParseCommandLine(argc, argv, exit_status);
  if (!request) return exit_status;
  ListenForInterrupts();
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
