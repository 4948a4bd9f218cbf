#include "property_tests/worker/worker.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "property_tests/page_checks.h"
#include "property_tests/program/text.h"
#include "property_tests/script/page_run.h"
#include "property_tests/script/sweep.h"
#include "property_tests/worker/execution.h"
#include "property_tests/worker/far_library.h"
#include "property_tests/worker/stack_trace.h"
#include "property_tests/worker/table_run.h"

namespace conformance {

namespace {

void SendFinding(const Channel& channel, const RuleNumbers& numbers,
                 const spec::model::Finding& finding, const std::string& text,
                 const std::string& position = "") {
  std::string blame;
  for (const spec::Rule* rule : finding.blame) blame += std::to_string(numbers.of(rule)) + ' ';
  channel.Send({answer::kFinding, blame, text, finding.allowed, finding.seen, position});
}

std::string FileOf(void* handle) {
  const link_map* map = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "";
}

// Messages of both ends take receives of one queue. Two processes share none.
bool SharesQueue(const Program& program) {
  const auto sends = [&](Side side) {
    return std::any_of(program.steps.begin(), program.steps.end(), [&](const Step& step) {
      return step.side == side && step.traits().message;
    });
  };
  return program.config.srq > 0 && sends(Side::kClient) && sends(Side::kServer);
}

class Worker {
 public:
  Worker(const Stack& stack, const Amount& amount, Channel channel, Board* board)
      : amount_(amount), channel_(channel), board_(board), stack_(stack) {
    if (stack.ends == Ends::kTwoProcesses) far_ = std::make_unique<FarEnd>(board);
  }

  void Serve() {
    board_->phase = Phase::kSetUp;
    if (!SetUp()) return;
    board_->phase = Phase::kIdle;
    while (const std::optional<std::vector<std::string>> request = channel_.Receive()) {
      Answer(*request);
      board_->phase = Phase::kIdle;
      if (!channel_.Send({answer::kDone})) return;
    }
  }

 private:
  bool SetUp() {
    LoadedLibrary loaded = LoadLibraryUnderTest(stack_.sut);
    if (loaded.handle == nullptr) return Problem(loaded.problem);
    library_ = loaded.functions;
    no_connection_ = loaded.problem;
    fake_ = std::make_unique<FakeControl>();
    if (stack_.fake && !fake_->present())
      return Problem("fake NIC: " + stack_.fake_dir +
                     "/libibverbs.so.1 is wanted, loaded instead: " + fake_->file());
    nic_ = std::make_unique<FakeNics>(fake_.get(), nullptr, board_);
    nics_ = std::make_unique<FakeNics>(fake_.get(), far_.get(), board_);
    std::string missing;
    bool any = false;
    for (const Function& function : AllFunctions()) {
      const bool found = dlsym(loaded.handle, std::string(function.name).c_str()) != nullptr;
      if (!found) missing += std::string(function.name) + ' ';
      any = any || found;
    }
    if (!any) return Problem(loaded.problem);
    if (no_connection_.empty() && library_.rpma_write == nullptr &&
        library_.rpma_atomic_write == nullptr && library_.rpma_read == nullptr)
      no_connection_ = stack_.sut + ": exports none of rpma_write, rpma_atomic_write, rpma_read";
    if (far_ != nullptr && !LoadAtFarEnd(far_.get(), stack_.sut, at_far_))
      return Problem(stack_.sut + ": loaded here, but not by the process of the far end");
    interpreter_ = std::make_unique<Interpreter>(loaded.handle, fake(), stack_.address, kAnyPort,
                                                 far_.get(), board_);
    try {
      if (no_connection_.empty()) interpreter_->ListenOn(ConnectRig());
    } catch (const SetUpError& error) {
      return Problem(error.what());
    }
    return channel_.Send(
        {answer::kReady, fake_->file(), missing, FileOf(loaded.handle), no_connection_});
  }

  // The connection that stands for all programs; a port that is free beside it.
  std::string ConnectRig() {
    rig_ = std::make_unique<Rig>(library_, stack_.address, far_.get(), &at_far_);
    rig_->Resize(kSmallRegion);
    abilities_ = {rig_->ProbeRead(), rig_->ProbeMessage(), rig_->ProbeSharedQueue()};
    rig_->Connect(Config());
    return rig_->FreePort();
  }

  // The rig with both ends in this process.
  Rig& Here() {
    if (far_ == nullptr) return *rig_;
    if (here_ == nullptr) {
      here_ = std::make_unique<Rig>(library_, stack_.address);
      here_->Resize(kSmallRegion);
    }
    return *here_;
  }

  Execution ExecutionIn(bool one_process, Trace trace = {}) {
    const bool here = one_process || far_ == nullptr;
    const FakeNics* fake = here ? nic_.get() : nics_.get();
    return Execution(here ? &Here() : rig_.get(), stack_.fake ? fake : nullptr, abilities_, board_,
                     std::move(trace));
  }

  // A script that took the device away has ended that connection.
  void RenewRig() {
    if (rig_ == nullptr || !interpreter_->TakeDeviceWasGone()) return;
    rig_.reset();
    here_.reset();
    ConnectRig();
  }

  bool Problem(const std::string& sentence) {
    channel_.Send({answer::kProblem, sentence});
    return false;
  }

  const FakeControl* fake() const { return stack_.fake ? fake_.get() : nullptr; }

  void Answer(const std::vector<std::string>& request) {
    try {
      if (request[0] == ask::kTable) RunTable(request);
      if (request[0] == ask::kScripts) RunScripts(request);
      if (request[0] == ask::kSweep) RunSweep(request);
      if (request[0] == ask::kProgram) {
        LeaveOut(request, /*from=*/2);
        RunCase(request[1], {});
      }
      if (request[0] == ask::kDemands) interpreter_->TellDemands();
      if (request[0] == ask::kReplay || request[0] == ask::kDemands)
        RunCase(request[1], [this](const TraceEvent& event) {
          channel_.Send({answer::kTrace, event.who, event.kind, event.text});
        });
    } catch (const SetUpError& error) {
      Problem(error.what());
      _exit(0);
    }
  }

  void RunTable(const std::vector<std::string>& request) {
    if (rig_ == nullptr) return;  // a library that is not complete yet is judged by scripts alone
    const PageChecks& checks = *kAllChecks[std::strtoul(request[1].c_str(), nullptr, 10)];
    TableRun run(checks, amount_, board_);
    for (std::size_t i = kFirstLeftOut; i < request.size(); ++i)
      run.Skip(spec::Catalogue()[std::stoul(request[i])]);
    RenewRig();
    board_->phase = Phase::kTable;
    Execution execution = ExecutionIn(/*one_process=*/false);
    const std::size_t skipped =
        run.Run(std::stoul(request[2]), std::stoul(request[3]), execution, Report());
    if (skipped > 0) channel_.Send({answer::kSkipped, std::to_string(skipped)});
  }

  void RunScripts(const std::vector<std::string>& request) {
    const ScriptChecks& checks = *AllScriptChecks()[std::stoul(request[1])];
    LeaveOut(request, kFirstLeftOut);
    board_->phase = Phase::kScripts;
    const std::size_t skipped = RunPage(checks, *interpreter_, amount_, std::stoul(request[2]),
                                        std::stoul(request[3]), board_, Report());
    if (skipped > 0) channel_.Send({answer::kSkipped, std::to_string(skipped)});
  }

  void RunSweep(const std::vector<std::string>& request) {
    LeaveOut(request, kFirstLeftOut);
    board_->phase = Phase::kScripts;
    Sweep(*interpreter_, std::stoul(request[2]), std::stoul(request[3]), board_,
          {Report(), [this](const SweepCase& row, unsigned fired) {
             channel_.Send({answer::kFired, row.scenario().name, row.call_and_error(),
                            std::to_string(fired)});
           }});
  }

  ReportFinding Report() {
    return
        [this](const spec::model::Finding& finding, const std::string& text, std::size_t position) {
          SendFinding(channel_, numbers_, finding, text, std::to_string(position));
        };
  }

  void LeaveOut(const std::vector<std::string>& request, std::size_t from) {
    for (std::size_t i = from; i < request.size(); ++i)
      interpreter_->LeaveOut(spec::Catalogue()[std::stoul(request[i])]);
  }

  void RunCase(const std::string& text, Trace trace) {
    if (!IsScript(text)) return RunProgram(text, std::move(trace));
    const std::variant<Script, ParseError> script = ParseScript(text);
    if (const ParseError* error = std::get_if<ParseError>(&script)) {
      Problem(error->sentence);
      return;
    }
    board_->phase = Phase::kScripts;
    if (const std::optional<spec::model::Finding> finding =
            interpreter_->Run(std::get<Script>(script), std::move(trace)))
      SendFinding(channel_, numbers_, *finding, text);
  }

  void RunProgram(const std::string& text, Trace trace) {
    const std::variant<Program, ParseError> program = Parse(text);
    if (const ParseError* error = std::get_if<ParseError>(&program)) {
      Problem(error->sentence);
      return;
    }
    if (rig_ == nullptr && trace) Problem(no_connection_);
    if (rig_ == nullptr) return;
    RenewRig();
    board_->phase = Phase::kProgram;
    const bool one_process = SharesQueue(std::get<Program>(program));
    if (far_ != nullptr && one_process) Count(board_->in_one_process);
    Execution execution = ExecutionIn(one_process, std::move(trace));
    if (const std::optional<spec::model::Finding> finding =
            RunOn(execution, std::get<Program>(program)))
      SendFinding(channel_, numbers_, *finding, text);
  }

  // A lone receive is a case of an argument table, where the suite sends it a message.
  static std::optional<spec::model::Finding> RunOn(Execution& execution, const Program& program) {
    const bool lone = program.steps.size() == 1 && program.steps[0].traits().receives();
    return lone ? execution.RunCall(program.steps[0], program.config) : execution.Run(program);
  }

  static constexpr std::size_t kSmallRegion = 64;
  static constexpr char kAnyPort[] = "20000";
  static constexpr std::size_t kFirstLeftOut = 4;  // field of a request for a list

  Amount amount_;
  Channel channel_;
  Board* board_;
  Stack stack_;
  RuleNumbers numbers_;
  Library library_;
  std::unique_ptr<FakeControl> fake_;
  std::unique_ptr<FarEnd> far_;  // nullptr: both ends are here
  Library at_far_;
  std::string no_connection_;  // why the library cannot make the suite's connection; "": it can
  std::unique_ptr<Rig> rig_;
  std::unique_ptr<Rig> here_;  // beside it, for what cannot have its ends in two processes
  std::unique_ptr<FakeNics> nic_, nics_;  // under both ends here, and of `rig_`
  std::unique_ptr<Interpreter> interpreter_;
  Abilities abilities_;
};

}  // namespace

void ServeAsWorker(const Stack& stack, const Amount& amount, Channel channel, Board* board) {
  WriteStackOnFatalSignals(board);
  // Never deleted: the library under test may not survive it.
  (new Worker(stack, amount, channel, board))->Serve();
}

void WorkerMain(int argc, char** argv) {
  constexpr int kArguments = 11;
  if (argc != kArguments) _exit(70);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);  // the runner ends its workers
  const Channel channel(std::atoi(argv[2]));
  void* page =
      mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(argv[3]), 0);
  if (page == MAP_FAILED) _exit(70);
  const Ends ends = argv[8] == std::string_view("two") ? Ends::kTwoProcesses : Ends::kOneProcess;
  const Stack stack{argv[4], argv[5] == std::string_view("fake"), argv[6], argv[7], ends};
  const Amount amount{std::strtoull(argv[9], nullptr, 10), 0, std::strtoull(argv[10], nullptr, 10)};
  ServeAsWorker(stack, amount, channel, static_cast<Board*>(page));
  _exit(0);
}

}  // namespace conformance
