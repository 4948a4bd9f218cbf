// The worker: the process that loads the library under test and runs cases for the runner.
#pragma once

#include "property_tests/stack.h"
#include "property_tests/worker/board.h"
#include "property_tests/worker/channel.h"

namespace conformance {

// How a worker process is told apart from the program a user starts.
inline constexpr char kWorkerArgument[] = "__worker";

// Serves the runner until it closes the channel. Never returns to the caller's clean-up: ends with
// _exit.
[[noreturn]] void ServeAsWorker(const Stack& stack, const Amount& amount, Channel channel,
                                Board* board);

// Reads what the runner put on the command line and serves.
[[noreturn]] void WorkerMain(int argc, char** argv);

}  // namespace conformance
