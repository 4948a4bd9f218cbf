// Random programs, by RapidCheck: made to be mostly well-formed, to fill queues, to break
// connections now and then, and to shrink to something a human reads.
#pragma once

#include <rapidcheck.h>

#include "property_tests/program/program.h"

namespace conformance {

struct ProgramShape {
  StepKind main = StepKind::kWrite;  // the function that most steps call
  bool alone = false;                // no other one
  bool fake = true;                  // steps, faults and the manual schedule make sense
};

rc::Gen<Program> ArbitraryProgram(const ProgramShape& shape);

// Any program that the text form can say, however senseless; for the test of the text form.
rc::Gen<Program> ArbitraryText();

}  // namespace conformance
