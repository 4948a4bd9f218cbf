// Bugs in the log. They act wherever a message may come, and hide from the functions that ask.
#include <librpma.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "property_tests/planted_bugs/call_bugs.h"

namespace planted {

namespace {

rpma_log_function* g_listener = nullptr;  // the caller's; nullptr: the library's own
int g_thresholds[] = {RPMA_LOG_LEVEL_WARNING, RPMA_LOG_DISABLED};

bool Is(const PassingCall& call, std::string_view function) {
  return call.function->name == function;
}

std::int64_t With(PassingCall call, std::size_t argument, std::uint64_t word) {
  call.arguments[argument] = word;
  return call.Real();
}

// The caller's function is set, but behind another.
std::int64_t Behind(const PassingCall& call, rpma_log_function* other) {
  g_listener = reinterpret_cast<rpma_log_function*>(call.arguments[0]);
  return g_listener == nullptr ? call.Real()
                               : With(call, 0, reinterpret_cast<std::uint64_t>(other));
}

// Remembers what is set.
void Note(const PassingCall& call) {
  if (Is(call, "rpma_log_set_function"))
    g_listener = reinterpret_cast<rpma_log_function*>(call.arguments[0]);
  if (Is(call, "rpma_log_set_threshold") && call.arguments[0] < std::size(g_thresholds))
    g_thresholds[call.arguments[0]] = static_cast<int>(call.arguments[1]);
}

void Drop(rpma_log_level, const char*, int, const char*, const char*, ...) {}

void PassWithoutLine(rpma_log_level level, const char* file, int, const char* function,
                     const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  g_listener(level, file, /*line_no=*/0, function, "%s", text);
}

void PassAtDebugOnly(rpma_log_level level, const char* file, int line, const char* function,
                     const char* format, ...) {
  if (g_thresholds[RPMA_LOG_THRESHOLD] != RPMA_LOG_LEVEL_DEBUG) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  g_listener(level, file, line, function, "%s", text);
}

std::int64_t Called(const PassingCall& call) {
  const bool sets = Is(call, "rpma_log_set_function") && call.arguments[0] != 0;
  return sets && ItsTurn() ? Behind(call, Drop) : call.Real();
}

std::int64_t Arguments(const PassingCall& call) {
  return Is(call, "rpma_log_set_function") ? Behind(call, PassWithoutLine) : call.Real();
}

std::int64_t Passes(const PassingCall& call) {
  if (Is(call, "rpma_log_set_function")) return Behind(call, PassAtDebugOnly);
  Note(call);
  return call.Real();
}

// The first function of the caller's stays until the library's own is set again.
std::int64_t Replaced(const PassingCall& call) {
  if (!Is(call, "rpma_log_set_function")) return call.Real();
  if (g_listener != nullptr && call.arguments[0] != 0) return 0;
  Note(call);
  return call.Real();
}

std::int64_t Silences(const PassingCall& call) {
  Note(call);
  if (Is(call, "rpma_utils_get_ibv_context") && g_listener != nullptr)
    g_listener(RPMA_LOG_LEVEL_DEBUG, "file", /*line_no=*/1, "function", "all is well\n");
  return call.Real();
}

// The auxiliary threshold is only remembered.
std::int64_t NeverToStderr(const PassingCall& call) {
  Note(call);
  const bool auxiliary = call.arguments[0] == RPMA_LOG_THRESHOLD_AUX;
  if (Is(call, "rpma_log_set_threshold") && auxiliary) {
    const std::int64_t code = call.Real();
    if (code == 0) With(call, 1, static_cast<std::uint64_t>(std::int64_t{RPMA_LOG_DISABLED}));
    return code;
  }
  const std::int64_t code = call.Real();
  if (Is(call, "rpma_log_get_threshold") && auxiliary && code == 0)
    *reinterpret_cast<int*>(call.arguments[1]) = g_thresholds[RPMA_LOG_THRESHOLD_AUX];
  return code;
}

std::int64_t AlwaysToStderr(const PassingCall& call) {
  Note(call);
  if (Is(call, "rpma_utils_get_ibv_context") && g_listener == nullptr)
    return write(STDERR_FILENO, "!\n", 2) == 2 ? call.Real() : RPMA_E_UNKNOWN;
  return call.Real();
}

constexpr SpecialBug kLogBugs[] = {
    {"rpma_log_set_function.called", Called, /*everywhere=*/true},
    {"rpma_log_set_function.replaced", Replaced, /*everywhere=*/true},
    {"rpma_log_set_function.arguments", Arguments, /*everywhere=*/true},
    {"rpma_log_set_threshold.silences", Silences, /*everywhere=*/true},
    {"rpma_log_set_threshold.passes", Passes, /*everywhere=*/true},
    {"rpma_log_set_threshold.stderr", NeverToStderr, /*everywhere=*/true},
    {"rpma_log_set_threshold.stderr-silent", AlwaysToStderr, /*everywhere=*/true},
};

}  // namespace

std::span<const SpecialBug> LogBugs() { return kLogBugs; }

}  // namespace planted
