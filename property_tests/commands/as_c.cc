#include "property_tests/commands/as_c.h"

#include <iostream>

#include "property_tests/as_c/c_program.h"
#include "property_tests/commands/cases.h"
#include "property_tests/commands/selection.h"
#include "property_tests/program/text.h"
#include "property_tests/runner/case_list.h"
#include "property_tests/runner/worker_process.h"
#include "property_tests/script/script.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

std::string OneCase(const Request& request) {
  if (request.cases.size() != 1 || ParseCaseRange(request.cases[0]))
    throw UsageError("replay: expected one case, not a list of them");
  const std::variant<std::string, ParseError> normal = Normalised(request.cases[0]);
  if (const ParseError* error = std::get_if<ParseError>(&normal)) throw UsageError(error->sentence);
  return std::get<std::string>(normal);
}

}  // namespace

// The case is run, so that the program says what the library did, and what each call owed then.
int AsCCommand(const Request& request) {
  Stack stack = request.stacks[0];
  stack.ends = Ends::kOneProcess;  // as the program is one
  CaseInC what{OneCase(request), std::nullopt};
  std::vector<TraceEvent> events;
  WorkerProcess worker(stack, request.amount);
  const Outcome outcome = worker.Ask(
      {std::string(ask::kDemands), what.text}, [&](const std::vector<std::string>& answer) {
        if (answer[0] == answer::kTrace) events.push_back({answer[1], answer[2], answer[3]});
        if (answer[0] == answer::kFinding)
          what.broken = {spec::Catalogue()[std::stoul(answer[1])], answer[3], answer[4]};
      });
  if (outcome.ending == Ending::kUnusable) {
    std::cerr << "environment not usable: " << outcome.sentence << '\n';
    return kExitEnvironment;
  }
  if (outcome.ending == Ending::kInterrupted) return kExitInconclusive;
  if (outcome.ending != Ending::kDone)
    what.broken = {spec::Catalogue()[worker.board().rule], "to come back", outcome.sentence};
  if (IsScript(what.text))
    std::cout << ScriptInC(what, events);
  else
    std::cout << ProgramInC(what, std::get<Program>(Parse(what.text)));
  return kExitHolds;
}

}  // namespace conformance
