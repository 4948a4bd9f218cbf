// Every form of report as a text, from the one value.
#pragma once

#include <string>

#include "property_tests/report/run_result.h"

namespace conformance {

std::string ToJson(const RunResult& run);
// Throws std::runtime_error, with a sentence, for a text that is no report of this version.
RunResult RunResultOf(const std::string& json);

std::string ToJunit(const RunResult& run);
std::string ToTap(const RunResult& run);
std::string ToMarkdown(const RunResult& run);
std::string ToHtml(const RunResult& run);

}  // namespace conformance
