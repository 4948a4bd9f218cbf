// Runs the scripts of one page, those of some positions, and reports the first counterexample of
// each kind.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "property_tests/script/interpreter.h"
#include "property_tests/script/script_checks.h"
#include "property_tests/stack.h"

namespace conformance {

using ReportFinding =
    std::function<void(const spec::model::Finding&, const std::string& text, std::size_t position)>;

// Returns how many scripts were left out.
std::size_t RunPage(const ScriptChecks& checks, Interpreter& interpreter, const Amount& amount,
                    std::size_t first, std::size_t end, Board* board, const ReportFinding& report);

}  // namespace conformance
