#include <iostream>

#include "property_tests/commands/commands.h"
#include "property_tests/commands/report_input.h"
#include "property_tests/report/text_report.h"

namespace conformance {

int ReportCommand(const Request& request) {
  RunResult run = ReadReport(request.files[0]);
  for (std::size_t i = 1; i < request.files.size(); ++i)
    run = Merge(std::move(run), ReadReport(request.files[i]));
  for (const ReportFile& file : request.reports) Write(run, file);
  for (const StackResult& stack : run.stacks)
    std::cerr << stack.name() << ": " << Conclusion(stack) << '\n';
  return kExitHolds;
}

}  // namespace conformance
