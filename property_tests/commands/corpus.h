// Cases that have failed before. They run first, so that what comes back is seen at once.
#pragma once

#include <string>
#include <vector>

#include "property_tests/report/run_result.h"

namespace conformance {

// Those that the suite brings along, and those of the user's folder, if one is named: files that
// end in .case, each with one case and comments after #. Throws UsageError for a file that holds
// something else.
std::vector<std::string> Corpus(const std::string& folder);

// Adds each broken rule's case as RULE.case, unless the folder has a case of the rule that is as
// small.
void AddToCorpus(const std::string& folder, const RunResult& run);

}  // namespace conformance
