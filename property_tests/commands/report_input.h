// Reports that earlier runs have written.
#pragma once

#include <string>

#include "property_tests/report/run_result.h"

namespace conformance {

// A JSON report, or the folder that a run which was killed has left. Throws UsageError.
RunResult ReadReport(const std::string& path);

// Shards of one run, or runs of several stacks, as one: of a rule that several have judged the
// later one counts.
RunResult Merge(RunResult first, const RunResult& second);

}  // namespace conformance
