#include "property_tests/runner/part.h"

#include "property_tests/page_checks.h"
#include "property_tests/script/script_checks.h"
#include "spec/librpma.h"

namespace conformance {

std::string Part::name() const {
  switch (kind) {
    case PartKind::kFile:
      return "the library as a file";
    case PartKind::kPast:
      return "past failures";
    case PartKind::kScripts:
      return function + " scripts";
    case PartKind::kTable:
      return function + " arguments";
    case PartKind::kPrograms:
      return function + " programs";
    case PartKind::kSweep:
      return "sweep";
    case PartKind::kLives:
      return "lives";
    case PartKind::kReplay:
      break;
  }
  return "replay of " + function;
}

const std::vector<Part>& PlanOfEverything() {
  static const std::vector<Part> plan = [] {
    std::vector<Part> parts{{PartKind::kPast},
                            {PartKind::kFile, 0, std::string(spec::librpma::kName)}};
    for (std::size_t i = 0; i < AllScriptChecks().size(); ++i)
      parts.push_back({PartKind::kScripts, i, std::string(AllScriptChecks()[i]->page->function)});
    for (const PartKind kind : {PartKind::kTable, PartKind::kPrograms})
      for (std::size_t i = 0; i < std::size(kAllChecks); ++i)
        parts.push_back({kind, i, std::string(kAllChecks[i]->page->function)});
    parts.push_back({PartKind::kSweep});
    parts.push_back({PartKind::kLives});
    return parts;
  }();
  return plan;
}

}  // namespace conformance
