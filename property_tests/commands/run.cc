#include "property_tests/runner/run.h"

#include <signal.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <iostream>
#include <thread>

#include "property_tests/commands/commands.h"
#include "property_tests/commands/corpus.h"
#include "property_tests/commands/selection.h"
#include "property_tests/report/files.h"
#include "property_tests/report/text_report.h"
#include "property_tests/runner/run_folder.h"

namespace conformance {

namespace {

using Clock = std::chrono::steady_clock;

// Of the machine, and nothing that names it or who works there.
std::map<std::string, std::string> Environment() {
  utsname system{};
  uname(&system);
  std::map<std::string, std::string> environment{
      {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
      {"processors", std::to_string(std::thread::hardware_concurrency())}};
  for (const char* name : {"FAKENIC_PROFILE", "FAKENIC_WITHOUT", "FAKENIC_SCHEDULE", "FAKENIC_SEED",
                           "FAKENIC_DEVICE", "FAKENIC_CLOCK_RATE", "FAKENIC_PLATFORM"})
    if (const char* value = std::getenv(name)) environment[name] = value;
  return environment;
}

class RunOfAll {
 public:
  explicit RunOfAll(const Request& request)
      : request_(request),
        selection_(Select(request)),
        text_(std::cout),
        files_(FilesOf(request, folder_)) {
    run_.suite = CONFORMANCE_VERSION;
    run_.mode = NameOf(request.mode);
    run_.seed = request.amount.seed;
    run_.programs = request.amount.programs;
    run_.selection = selection_.words;
    run_.strict = request.amount.strict;
    run_.should_rules_left_out = selection_.should_rules_left_out;
    run_.environment = Environment();
    run_.workers = request.workers;
    options_.amount = request.amount;
    options_.workers = request.workers;
    options_.whole_uses = request.mode != Mode::kQuick;
    options_.past_failures = Corpus(request.corpus);
    options_.folder = folder_.path();
    if (!request.budget) return;
    options_.deadline = start_ + *request.budget;
    options_.budget = "time budget of " + std::to_string(request.budget->count()) + " s";
  }

  int All() {
    std::cout << "seed " << request_.amount.seed << '\n';
    if (!request_.rerun.empty()) std::cout << "judged: " << selection_.words << '\n';
    files_.Write(run_);
    for (const Stack& stack : request_.stacks) One(stack);
    if (run_.stacks.size() > 1) {
      PrintSideBySide(std::cout, run_);
      for (const StackResult& stack : run_.stacks)
        std::cout << stack.name() << ": " << Conclusion(stack) << '\n';
    }
    files_.Write(run_);
    if (!request_.corpus.empty()) AddToCorpus(request_.corpus, run_);
    return ExitStatusOf(run_, request_.fail_on_skip);
  }

 private:
  static std::vector<ReportFile> FilesOf(const Request& request, const RunFolder& folder) {
    std::vector<ReportFile> files = request.reports;
    files.push_back({Form::kJson, ReportOf(folder.path())});
    return files;
  }

  static Expectations ExpectationsOf(const Request& request, const Stack& stack) {
    if (request.expectations.empty()) return {};
    std::variant<Expectations, std::string> loaded =
        Expectations::Load(request.expectations, stack);
    if (const std::string* problem = std::get_if<std::string>(&loaded)) throw UsageError(*problem);
    return std::get<Expectations>(std::move(loaded));
  }

  void One(const Stack& stack) {
    const Expectations expectations = ExpectationsOf(request_, stack);
    if (request_.stacks.size() > 1) std::cout << "\n== " << stack.sut << '\n';
    run_.stacks.emplace_back();
    RunObserver observer;
    observer.judged = [&](const RuleResult& rule) {
      if (rule.verdict != Verdict::kEnvironment) text_.Print(rule);
    };
    observer.progress = [](std::uint64_t cases) { ShowProgress(cases); };
    observer.advanced = [&](const Tally& tally) {
      if (!files_.due()) return false;
      run_.stacks.back() = tally.Result();
      if (!tally.ended()) {
        run_.stacks.back().ending = "running";
        run_.stacks.back().sentence = "the run had not ended when this was written";
      }
      Time();
      files_.Write(run_);
      return true;
    };
    run_.stacks.back() = RunOn(stack, options_, selection_, expectations, observer, table_seconds_);
    const StackResult& result = run_.stacks.back();
    argument_cases_ += result.argument_cases;
    Time();
    if (result.ending == "environment") {
      std::cout << std::flush;
      std::cerr << "environment not usable: " << result.sentence << std::endl;
    } else {
      text_.Summarise(result, run_);
    }
  }

  void Time() {
    run_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (table_seconds_ > 0)
      run_.argument_cases_a_second =
          static_cast<double>(argument_cases_) * request_.workers / table_seconds_;
  }

  static void ShowProgress(std::uint64_t cases) {
    if (isatty(STDERR_FILENO) == 0) return;
    const std::string line = "\r" + std::to_string(cases) + " cases\r";
    if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
  }

  const Request& request_;
  const Selection selection_;
  const Clock::time_point start_ = Clock::now();
  RunFolder folder_;
  TextReport text_;
  ReportFiles files_;
  RunOptions options_;
  RunResult run_;
  double table_seconds_ = 0;
  std::uint64_t argument_cases_ = 0;
};

}  // namespace

int RunCommand(const Request& request) { return RunOfAll(request).All(); }

}  // namespace conformance
