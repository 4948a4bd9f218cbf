#include "property_tests/worker/stack_trace.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace conformance {

namespace {

Board* g_board = nullptr;

const char* FileName(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

// One call as a line; the number of characters that it took.
std::size_t Describe(void* address, char* at, std::size_t room) {
  Dl_info info{};
  int length;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr)
    length = std::snprintf(at, room, "%s\n", "an address in no library");
  else if (info.dli_sname != nullptr)
    length = std::snprintf(
        at, room, "%s+0x%zx in %s\n", info.dli_sname,
        static_cast<std::size_t>(static_cast<char*>(address) - static_cast<char*>(info.dli_saddr)),
        FileName(info.dli_fname));
  else
    length = std::snprintf(
        at, room, "0x%zx in %s\n",
        static_cast<std::size_t>(static_cast<char*>(address) - static_cast<char*>(info.dli_fbase)),
        FileName(info.dli_fname));
  return std::min(static_cast<std::size_t>(std::max(length, 0)), room - 1);
}

// The suite's own part of the stack is of no use to anybody.
bool IsOurs(void* address) {
  Dl_info of_it{};
  Dl_info of_us{};
  return dladdr(address, &of_it) != 0 && dladdr(reinterpret_cast<void*>(&IsOurs), &of_us) != 0 &&
         of_it.dli_fbase == of_us.dli_fbase;
}

// None of this is promised to work in a signal handler. Should it crash or hang, the first signal
// has still ended the worker, or the alarm does.
void OnSignal(int number) {
  constexpr int kMost = 32;
  constexpr int kHandler = 2;  // this function and what the kernel returns to
  alarm(1);
  void* calls[kMost + kHandler];
  const int count = backtrace(calls, kMost + kHandler);
  std::size_t used = 0;
  for (int i = kHandler; i < count && used + 2 < kBoardText && !IsOurs(calls[i]); ++i)
    used += Describe(calls[i], g_board->stack.data() + used, kBoardText - used);
  raise(number);  // takes its default course when the handler returns
}

}  // namespace

void WriteStackOnFatalSignals(Board* board) {
  static char alternate[64 * 1024];
  g_board = board;
  void* warm_up[1];
  backtrace(warm_up, 1);  // loads what it needs while that is still possible
  stack_t stack{};
  stack.ss_sp = alternate;
  stack.ss_size = sizeof alternate;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, kSignalOfTheRunner})
    sigaction(number, &action, nullptr);
}

}  // namespace conformance
