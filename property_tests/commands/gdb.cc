#include "property_tests/commands/gdb.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <new>
#include <thread>

#include "property_tests/commands/cases.h"
#include "property_tests/commands/selection.h"
#include "property_tests/commands/shown.h"
#include "property_tests/runner/worker_process.h"
#include "property_tests/worker/worker.h"

// Where gdb stops: the library is loaded, and the case is about to run.
extern "C" [[gnu::noinline]] void rpma_conformance_case_begins() { asm volatile(""); }

namespace conformance {

namespace {

std::string FileOfThisProgram() {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  return {path, size > 0 ? static_cast<std::size_t>(size) : 0};
}

// The runner's part, in a thread: asks for the cases and shows what comes back.
void AskFor(const std::vector<std::string>& cases, Channel channel) {
  Shown shown;
  std::vector<std::string> finding;
  const auto await = [&](std::string_view last) {
    while (const std::optional<std::vector<std::string>> answer = channel.Receive()) {
      if (answer->front() == answer::kProblem) {
        std::cerr << "environment not usable: " << answer->at(1) << std::endl;
        _exit(kExitEnvironment);
      }
      if (answer->front() == answer::kTrace)
        shown.Add({answer->at(1), answer->at(2), answer->at(3)});
      if (answer->front() == answer::kFinding) finding = *answer;
      if (answer->front() == last) break;
    }
    shown.End();
  };
  await(answer::kReady);
  rpma_conformance_case_begins();
  for (const std::string& text : cases) {
    std::cout << "case    " << text << std::endl;
    channel.Send({std::string(ask::kReplay) + '\0' + text});
    await(answer::kDone);
  }
  finding.empty() ? ShowPass() : ShowFinding(finding);
  _exit(finding.empty() ? kExitHolds : kExitBroken);
}

}  // namespace

int GdbCommand(const Request& request) {
  const Stack& stack = request.stacks[0];
  std::vector<std::string> words{"gdb",
                                 "-q",
                                 "-ex",
                                 "set confirm off",
                                 "-ex",
                                 "set breakpoint pending on",
                                 "-ex",
                                 "break rpma_conformance_case_begins",
                                 "-ex",
                                 "run",
                                 "--args",
                                 FileOfThisProgram(),
                                 kAloneArgument,
                                 stack.sut,
                                 stack.fake ? "fake" : "system",
                                 stack.fake_dir,
                                 stack.address,
                                 request.amount.strict ? "strict" : "lenient"};
  for (const std::string& text : request.cases) {
    const std::variant<std::string, ParseError> normal = Normalised(text);
    if (const ParseError* error = std::get_if<ParseError>(&normal))
      throw UsageError(error->sentence);
    words.push_back(std::get<std::string>(normal));
  }
  if (stack.fake) PointAtFake(stack.fake_dir);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp("gdb", arguments.data());
  std::cerr << "gdb: cannot be started: " << std::strerror(errno) << '\n';
  return kExitEnvironment;
}

int RunAlone(int argc, char** argv) {
  constexpr int kFirstCase = 7;
  if (argc <= kFirstCase) return kExitInternal;
  const Stack stack{argv[2], argv[3] == std::string_view("fake"), argv[4], argv[5]};
  int sockets[2];
  void* page =
      mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return kExitInternal;
  std::thread(AskFor, std::vector<std::string>(argv + kFirstCase, argv + argc), Channel(sockets[0]))
      .detach();
  auto* const board = new (page) Board{};
  board->strict = argv[6] == std::string_view("strict");
  ServeAsWorker(stack, Amount{}, Channel(sockets[1]), board);
  while (true) pause();  // the other thread ends the process
}

}  // namespace conformance
