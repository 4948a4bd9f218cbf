// `replay --as-c`
#pragma once

#include "property_tests/command_line.h"

namespace conformance {

int AsCCommand(const Request& request);

}  // namespace conformance
