// Writes down where the library was when a signal ended the worker, or when the runner lost
// patience with it.
#pragma once

#include <csignal>

#include "property_tests/worker/board.h"

namespace conformance {

// What the runner sends to a worker that does not come back, before it ends it.
inline constexpr int kSignalOfTheRunner = SIGQUIT;

// From now on a fatal signal first puts the stack on the board, as "function+0x1c in librpma.so.0",
// one call a line, and then takes its course.
void WriteStackOnFatalSignals(Board* board);

}  // namespace conformance
