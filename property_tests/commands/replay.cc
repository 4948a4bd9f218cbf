#include <iostream>

#include "property_tests/commands/as_c.h"
#include "property_tests/commands/cases.h"
#include "property_tests/commands/commands.h"
#include "property_tests/commands/gdb.h"
#include "property_tests/commands/selection.h"
#include "property_tests/commands/shown.h"
#include "property_tests/runner/case_list.h"
#include "property_tests/runner/worker_process.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

// A case of the command line, as a worker is asked for it.
struct Asked {
  std::string text;
  std::vector<std::string> request;
  Amount amount;
};

// Nothing: the text does not name cases of a list.
std::optional<Asked> RangeOf(const std::string& text, const Amount& amount) {
  const std::optional<CaseRange> range = ParseCaseRange(text);
  if (!range) return std::nullopt;
  Asked asked{text, {}, amount};
  asked.amount.seed = range->seed;
  asked.amount.sample = range->sample;
  for (const Part& part : PlanOfEverything()) {
    const std::optional<CaseList> list = ListOf(part, asked.amount);
    if (!list || part.name() != range->part) continue;
    asked.request = list->request;
    asked.request.push_back(std::to_string(range->first));
    asked.request.push_back(std::to_string(range->last + 1));
    return asked;
  }
  throw UsageError("case: '" + text + "': no list of cases is called '" + range->part + "'");
}

Asked AskedFor(const std::string& text, const Amount& amount) {
  if (std::optional<Asked> range = RangeOf(text, amount)) return *range;
  const std::variant<std::string, ParseError> normal = Normalised(text);
  if (const ParseError* error = std::get_if<ParseError>(&normal)) throw UsageError(error->sentence);
  return {std::get<std::string>(normal),
          {std::string(ask::kReplay), std::get<std::string>(normal)},
          amount};
}

int ShowVerdict(const std::vector<std::string>& finding, const Outcome& outcome,
                WorkerProcess& worker) {
  if (outcome.ending == Ending::kUnusable) {
    std::cerr << "environment not usable: " << outcome.sentence << '\n';
    return kExitEnvironment;
  }
  if (outcome.ending == Ending::kDone && finding.empty()) {
    ShowPass();
    return kExitHolds;
  }
  if (!finding.empty()) ShowFinding(finding);
  if (finding.empty()) ShowRule("broken", *spec::Catalogue()[worker.board().rule.load()]);
  if (finding.empty()) std::cout << "seen    " << outcome.sentence << '\n';
  if (!outcome.stack.empty()) std::cout << "stack\n" << outcome.stack;
  if (!outcome.output.empty()) std::cout << "printed\n" << outcome.output << '\n';
  return outcome.ending == Ending::kInterrupted ? kExitInconclusive : kExitBroken;
}

}  // namespace

int ReplayCommand(const Request& request) {
  if (request.as_c) return AsCCommand(request);
  if (request.gdb) return GdbCommand(request);
  std::vector<Asked> all;
  for (const std::string& text : request.cases) all.push_back(AskedFor(text, request.amount));
  WorkerProcess worker(request.stacks[0], all[0].amount);
  std::vector<std::string> finding;
  Outcome outcome;
  Shown shown;
  for (const Asked& one : all) {
    std::cout << "case    " << one.text << std::endl;
    outcome = worker.Ask(one.request, [&](const std::vector<std::string>& answer) {
      if (answer[0] == answer::kTrace) shown.Add({answer[1], answer[2], answer[3]});
      if (answer[0] == answer::kFinding) finding = answer;
    });
    shown.End();
    if (outcome.ending != Ending::kDone) break;
  }
  return ShowVerdict(finding, outcome, worker);
}

}  // namespace conformance
