// RapidCheck as an engine: generation and shrinking under an explicit seed, without its console
// report.
#pragma once

#include <cstdint>
#include <functional>

#include "property_tests/program/generator.h"
#include "property_tests/script/script.h"

namespace conformance {

struct EngineResult {
  bool falsified = false;
  int passed = 0;  // cases that held before the first that did not
};

// Tries `cases` programs. The last one for which `holds` was false is the smallest that shrinking
// found.
EngineResult CheckPrograms(const ProgramShape& shape, std::uint64_t seed, int cases,
                           const std::function<bool(const Program&)>& holds);
// The same of scripts over the library's objects.
EngineResult CheckLives(std::uint64_t seed, int cases,
                        const std::function<bool(const Script&)>& holds);

}  // namespace conformance
