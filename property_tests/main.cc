// rpma-conformance: judges any librpma over any NIC.
#include <fnmatch.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <iomanip>
#include <iostream>

#include "property_tests/command_line.h"
#include "property_tests/program/text.h"
#include "property_tests/report/report.h"
#include "property_tests/runner/suite.h"
#include "property_tests/script/script_checks.h"
#include "property_tests/worker/worker.h"
#include "spec/librpma.h"

namespace conformance {

namespace {

using Rules = std::vector<const spec::Rule*>;

Rules Select(const std::vector<std::string>& globs) {
  Rules selected;
  for (const spec::Rule* rule : spec::Catalogue()) {
    const bool wanted =
        globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
          return fnmatch(glob.c_str(), std::string(rule->id).c_str(), 0) == 0;
        });
    if (wanted) selected.push_back(rule);
  }
  return selected;
}

std::string_view NameOf(spec::Force force) {
  if (force == spec::Force::kMust) return "must";
  return force == spec::Force::kMay ? "may" : "unspecified";
}

int List(const Rules& rules) {
  std::size_t longest = 0;
  for (const spec::Rule* rule : rules) longest = std::max(longest, rule->id.size());
  for (const spec::Rule* rule : rules)
    std::cout << std::left << std::setw(static_cast<int>(longest) + 2) << rule->id
              << NameOf(rule->force) << "  " << rule->section << '\n';
  return 0;
}

int Explain(const std::string& id) {
  const spec::Rule* rule = spec::FindRule(id);
  if (rule == nullptr) {
    std::cerr << "explain: no rule '" << id << "'; `rpma-conformance list` names them all\n";
    return kExitUsage;
  }
  std::cout << rule->id << '\n'
            << "page     " << rule->page << ", " << rule->section << '\n'
            << "force    " << NameOf(rule->force) << '\n'
            << "rule     " << rule->sentence << '\n'
            << "judge    rpma-conformance run " << rule->id << '\n';
  return 0;
}

void ShowProgress(Suite& suite) {
  if (isatty(STDERR_FILENO) == 0) return;
  suite.worker().OnTick([&suite] {
    const std::string line =
        "\r" + std::to_string(suite.worker().board().calls.load()) + " cases\r";
    if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
  });
}

// Whole uses of the library are nobody's page: they are left out when one page is judged.
bool SeveralFunctions(const Rules& rules) {
  return std::any_of(rules.begin(), rules.end(), [&](const spec::Rule* rule) {
    return spec::FunctionOf(rule) != spec::FunctionOf(rules[0]);
  });
}

int Run(const Request& request, const Rules& rules) {
  std::variant<Expectations, std::string> expectations;
  if (!request.expectations.empty())
    expectations = Expectations::Load(request.expectations, request.stack);
  if (const std::string* problem = std::get_if<std::string>(&expectations)) {
    std::cerr << *problem << '\n';
    return kExitUsage;
  }
  const auto start = std::chrono::steady_clock::now();
  std::cout << "seed " << request.amount.seed << '\n';
  Suite suite(request.stack, request.amount);
  Report report(std::cout, request.stack, request.amount,
                std::get<Expectations>(std::move(expectations)));
  ShowProgress(suite);
  Outcome outcome;
  const auto judge = [&](std::string_view function, const auto& run) {
    const auto of_function = [&](const spec::Rule* rule) {
      return spec::FunctionOf(rule) == function;
    };
    if (std::none_of(rules.begin(), rules.end(), of_function)) return;
    if (outcome.ending == Ending::kDone) outcome = run();
    for (const spec::Rule* rule : rules)
      if (of_function(rule) && outcome.ending != Ending::kUnusable) report.Print(rule, suite);
  };
  judge(spec::librpma::kName, [&] { return suite.RunFile(); });
  for (std::size_t i = 0; i < AllScriptChecks().size(); ++i)
    judge(AllScriptChecks()[i]->page->function, [&] { return suite.RunScripts(i); });
  for (const PageChecks* checks : kAllChecks)
    judge(checks->page->function, [&] { return suite.RunPage(*checks); });
  if (SeveralFunctions(rules)) {
    if (outcome.ending == Ending::kDone) outcome = suite.RunSweep();
    if (outcome.ending == Ending::kDone) outcome = suite.RunLives();
  }
  if (outcome.ending == Ending::kUnusable) {
    std::cerr << "environment not usable: " << outcome.sentence << std::endl;
    return 3;
  }
  for (const spec::Rule* rule : rules) report.Print(rule, suite);  // what a later page has changed
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return report.Summarise(suite, outcome, seconds.count());
}

// The text of a case of either kind, as a report would print it.
std::variant<std::string, ParseError> Normalised(const std::string& text) {
  if (IsScript(text)) {
    const std::variant<Script, ParseError> script = ParseScript(text);
    if (const ParseError* error = std::get_if<ParseError>(&script)) return *error;
    return Print(std::get<Script>(script));
  }
  const std::variant<Program, ParseError> program = Parse(text);
  if (const ParseError* error = std::get_if<ParseError>(&program)) return *error;
  return Print(std::get<Program>(program));
}

int Replay(const Request& request) {
  const std::variant<std::string, ParseError> normal = Normalised(request.text);
  if (const ParseError* error = std::get_if<ParseError>(&normal)) {
    std::cerr << error->sentence << '\n';
    return kExitUsage;
  }
  const std::string& text = std::get<std::string>(normal);
  std::cout << "case    " << text << '\n';
  WorkerProcess worker(request.stack, request.amount);
  std::vector<std::string> finding;
  const Outcome outcome =
      worker.Ask({std::string(ask::kReplay), text}, [&](const std::vector<std::string>& answer) {
        if (answer[0] == answer::kTrace) std::cout << answer[1] << std::endl;
        if (answer[0] == answer::kFinding) finding = answer;
      });
  if (outcome.ending == Ending::kUnusable) {
    std::cerr << "environment not usable: " << outcome.sentence << '\n';
    return 3;
  }
  if (outcome.ending == Ending::kDone && finding.empty()) {
    std::cout << "verdict PASS: every outcome is allowed\n";
    return 0;
  }
  const std::size_t rule =
      finding.empty() ? worker.board().rule.load() : std::strtoul(finding[1].c_str(), nullptr, 10);
  std::cout << "verdict " << (finding.empty() ? "broken" : "FAIL") << ' '
            << spec::Catalogue()[rule]->id << '\n'
            << "rule    " << spec::Catalogue()[rule]->page << ", "
            << spec::Catalogue()[rule]->section << ": " << spec::Catalogue()[rule]->sentence
            << '\n';
  if (!finding.empty()) std::cout << "allowed " << finding[3] << "\nseen    " << finding[4] << '\n';
  if (finding.empty()) std::cout << "seen    " << outcome.sentence << '\n';
  return outcome.ending == Ending::kInterrupted ? 2 : 1;
}

// Makes every call fail in every scenario, and says how often each did.
int ShowSweep(const Request& request) {
  Suite suite(request.stack, request.amount);
  const Outcome outcome = suite.RunSweep();
  if (outcome.ending != Ending::kDone) {
    std::cerr << "environment not usable: " << outcome.sentence << '\n';
    return 3;
  }
  for (const auto& [scenario, calls] : suite.fired())
    for (const auto& [call, fired] : calls)
      if (fired > 0)
        std::cout << scenario << std::string(20 - scenario.size(), ' ') << call
                  << std::string(40 - call.size(), ' ') << fired << '\n';
  for (const spec::Rule* rule : suite.results().broken()) {
    const Charge& charge = *suite.results().Against(rule);
    std::cout << "broken  " << rule->id << "\ncase    " << charge.text << "\nallowed "
              << charge.allowed << "\nseen    " << charge.seen << '\n';
  }
  return suite.results().broken().empty() ? 0 : 1;
}

int Main(int argc, char** argv) {
  int exit_status = 0;
  const std::optional<Request> request = ParseCommandLine(argc, argv, exit_status);
  if (!request) return exit_status;
  const auto interrupt = [](int) { g_interrupted = true; };
  signal(SIGINT, interrupt);
  signal(SIGTERM, interrupt);
  if (request->command == Command::kExplain) return Explain(request->text);
  if (request->command == Command::kReplay) return Replay(*request);
  if (request->command == Command::kSweep) return ShowSweep(*request);
  const Rules rules = Select(request->globs);
  if (rules.empty()) {
    std::cerr << "rules: none matches";
    for (const std::string& glob : request->globs) std::cerr << " '" << glob << "'";
    std::cerr << "; `rpma-conformance list` names them all\n";
    return kExitUsage;
  }
  return request->command == Command::kList ? List(rules) : Run(*request, rules);
}

}  // namespace

}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  if (argc > 1 && std::strcmp(argv[1], kWorkerArgument) == 0) WorkerMain(argc, argv);
  try {
    return Main(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "internal error: " << error.what() << '\n';
    return kExitInternal;
  }
}
