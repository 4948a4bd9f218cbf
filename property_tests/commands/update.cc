#include <iostream>

#include "property_tests/commands/commands.h"
#include "property_tests/commands/report_input.h"
#include "property_tests/commands/selection.h"
#include "property_tests/report/expectations_update.h"

namespace conformance {

int UpdateCommand(const Request& request) {
  const RunResult run = ReadReport(request.files[0]);
  for (const StackResult& stack : run.stacks) {
    const std::variant<ExpectationsUpdate, std::string> update =
        UpdateExpectations(request.expectations, stack, request.reason);
    if (const std::string* problem = std::get_if<std::string>(&update)) throw UsageError(*problem);
    const auto& [added, dropped, left] = std::get<ExpectationsUpdate>(update);
    std::cout << request.expectations << ", for " << stack.name() << ": " << added.size()
              << " added, " << dropped.size() << " dropped\n";
    for (const std::string& rule : added) std::cout << "added    " << rule << '\n';
    for (const std::string& rule : dropped) std::cout << "dropped  " << rule << '\n';
    for (const std::string& sentence : left) std::cout << "left     " << sentence << '\n';
  }
  return kExitHolds;
}

}  // namespace conformance
