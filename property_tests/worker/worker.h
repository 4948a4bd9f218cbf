// The worker: the process that loads the library under test and runs cases for the runner.
#pragma once

#include "property_tests/stack.h"
#include "property_tests/worker/board.h"
#include "property_tests/worker/channel.h"

namespace conformance {

// How a worker process is told apart from the program a user starts.
inline constexpr char kWorkerArgument[] = "__worker";

// Serves who is at the other end of the channel until it is closed, or the environment is seen not
// to be usable.
void ServeAsWorker(const Stack& stack, const Amount& amount, Channel channel, Board* board);

// Reads what the runner put on the command line and serves.
[[noreturn]] void WorkerMain(int argc, char** argv);

}  // namespace conformance
