// Random scripts over the library's objects.
#pragma once

#include <rapidcheck.h>

#include "property_tests/script/script.h"

namespace conformance {

// Shrinks to the calls that are needed.
rc::Gen<Script> ArbitraryLife();

}  // namespace conformance
