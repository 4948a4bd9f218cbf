// The result of a part as one line of text: it goes from process to process, and into the journal.
#pragma once

#include <string>

#include "property_tests/runner/part.h"

namespace conformance {

std::string ToLine(const PartResult& result);
// Throws std::exception for a line that is none.
PartResult PartResultOf(const std::string& line);

}  // namespace conformance
