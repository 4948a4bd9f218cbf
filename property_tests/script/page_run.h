// Runs the scripts of one page, from a position on, and reports the first counterexample of each
// kind.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "property_tests/script/interpreter.h"
#include "property_tests/script/script_checks.h"
#include "property_tests/stack.h"

namespace conformance {

using ReportFinding = std::function<void(const spec::model::Finding&, const std::string& text)>;

// Returns how many scripts were left out.
std::size_t RunPage(const ScriptChecks& checks, Interpreter& interpreter, const Amount& amount,
                    std::size_t first, Board* board, const ReportFinding& report);

}  // namespace conformance
