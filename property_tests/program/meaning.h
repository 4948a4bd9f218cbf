// What the pages say of one call, from its symbolic arguments alone: which clauses forbid it, and
// else what must become of the operation.
#pragma once

#include <cstddef>

#include "property_tests/program/program.h"
#include "spec/model/operation.h"
#include "spec/page.h"

namespace conformance {

// The page of the function that a step calls.
const spec::Page& PageOf(StepKind kind);

struct Meaning {
  spec::Refusals refusals;  // not empty: the call must be refused
  spec::model::Operation
      operation;  // page, wr_id, signal, fate and rules; target and source are the rig's to fill in
  bool local_error = false;   // it fails at its own end, without the other's knowledge
  bool stays_inside = false;  // both ranges lie inside their regions
};

// `step` posts, on a connection with this configuration. `stale`: D has been deregistered.
Meaning MeaningOf(const Step& step, const Config& config, bool stale = false);

// The rule that a crash or a hang inside the call, or while waiting for its completion, is charged
// to.
const spec::Rule* RuleOnTrial(const Meaning& meaning);

}  // namespace conformance
