#include <algorithm>
#include <iomanip>
#include <iostream>

#include "property_tests/commands/commands.h"
#include "property_tests/commands/selection.h"
#include "spec/catalogue.h"

namespace conformance {

int ListCommand(const Request& request) {
  const Selection selection = Select(request);
  std::size_t longest = 0;
  for (const spec::Rule* rule : selection.rules) longest = std::max(longest, rule->id.size());
  for (const spec::Rule* rule : selection.rules)
    if (selection.disabled.count(rule) == 0)
      std::cout << std::left << std::setw(static_cast<int>(longest) + 2) << rule->id
                << NameOf(rule->force) << "  " << rule->section << '\n';
  return kExitHolds;
}

int ExplainCommand(const Request& request) {
  const spec::Rule* rule = spec::FindRule(request.text);
  if (rule == nullptr)
    throw UsageError("explain: no rule '" + request.text +
                     "'; `rpma-conformance list` names them all");
  std::cout << rule->id << '\n'
            << "page     " << rule->page << ", " << rule->section << '\n'
            << "force    " << NameOf(rule->force) << '\n'
            << "rule     " << rule->sentence << '\n'
            << "judge    rpma-conformance run "
            << (rule->force == spec::Force::kShould ? "--strict " : "") << rule->id << '\n';
  return kExitHolds;
}

}  // namespace conformance
