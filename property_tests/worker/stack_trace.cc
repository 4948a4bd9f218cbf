#include "property_tests/worker/stack_trace.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <gnu/libc-version.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

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

const void* ObjectOf(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

// The suite's own part of the stack is of no use to anybody.
bool IsOurs(const void* address) {
  return ObjectOf(address) == ObjectOf(reinterpret_cast<const void*>(&IsOurs));
}

// The end of a stack without what started the process and the suite, which are the last of it.
// What is ours before that is a sanitizer's.
void** EndOfUse(void** begin, void** end) {
  const void* libc = ObjectOf(reinterpret_cast<const void*>(&gnu_get_libc_version));
  while (end > begin && IsOurs(end[-1])) --end;
  while (end > begin && ObjectOf(end[-1]) == libc) --end;
  while (end > begin && IsOurs(end[-1])) --end;
  return end;
}

void* InterruptedAt(const void* context) {
  [[maybe_unused]] const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<void*>(machine.pc);
#else
  return nullptr;  // then no stack is shown
#endif
}

// None of this is promised to work in a signal handler. Should it crash or hang, the first signal
// has still ended the worker, or the alarm does.
void OnSignal(int number, siginfo_t*, void* context) {
  alarm(1);
  // Where the far end is says more than that this one waits for it.
  if (number == kSignalOfTheRunner && g_board->far_end_works && getpid() != g_board->far_end) {
    kill(g_board->far_end, number);
    waitpid(g_board->far_end, nullptr, 0);
    raise(number);
    return;
  }
  void* calls[40];
  void** const end = calls + backtrace(calls, std::size(calls));
  // Before it are this function and what called it: the kernel's return, perhaps a sanitizer.
  void** const begin = std::find(calls, end, InterruptedAt(context));
  void** const last = EndOfUse(begin, end);
  std::size_t used = 0;
  for (void** call = begin; call < last && used + 2 < kBoardText; ++call)
    if (!IsOurs(*call)) used += Describe(*call, g_board->stack.data() + used, kBoardText - used);
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
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_SIGINFO;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, kSignalOfTheRunner})
    sigaction(number, &action, nullptr);
}

}  // namespace conformance
