// The worlds that scripts start from.
#pragma once

#include <string>
#include <string_view>

#include "property_tests/script/script.h"

namespace conformance {

// The calls that lead there; nullptr for an unknown name.
const Script* FindGiven(std::string_view name);
// All names, for a message.
std::string GivenNames();

}  // namespace conformance
