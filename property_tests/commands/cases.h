// Cases as users write them.
#pragma once

#include <string>
#include <variant>

#include "property_tests/program/text.h"

namespace conformance {

// The text of a case of either kind, as a report would print it.
std::variant<std::string, ParseError> Normalised(const std::string& text);

}  // namespace conformance
