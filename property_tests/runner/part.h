// The parts of a run: each is judged by a process of its own with a worker of its own, so that
// neither their order nor how many run at once changes what any of them finds.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "property_tests/report/results.h"
#include "property_tests/stack.h"
#include "property_tests/worker/trace.h"
#include "spec/model/witness.h"

namespace conformance {

enum class PartKind {
  kFile,      // the library as a file
  kPast,      // cases that have failed before
  kScripts,   // the scripts of a page of calls
  kTable,     // the argument table and the sequences of a page of the data path
  kPrograms,  // random programs around a page of the data path
  kSweep,
  kLives,
  kReplay,  // once more the case that shows a rule to be broken
};

struct Part {
  PartKind kind;
  std::size_t index = 0;      // of the page among its kind; of a replay the number of the rule
  std::string function = {};  // that the page is about, or ""

  // "rpma_write arguments"; unique in a run.
  std::string name() const;
};

// Everything that there is to run, in the order of the catalogue.
const std::vector<Part>& PlanOfEverything();

// Whether the part belongs to that half of the suite. Past failures belong to both.
constexpr bool IsOf(PartKind kind, Half half) {
  const bool random = kind == PartKind::kPrograms || kind == PartKind::kLives;
  return half == Half::kBoth || kind == PartKind::kPast || random == (half == Half::kModels);
}

// Whether the part starts from what the parts of the first kind have found.
constexpr bool IsSecond(PartKind kind) {
  return kind == PartKind::kPrograms || kind == PartKind::kSweep || kind == PartKind::kLives;
}

using Fired = std::map<std::string, std::map<std::string, int>>;  // by scenario, then by call

struct PartResult {
  std::string part;  // its name
  Outcome outcome;
  std::vector<Charge> charges;  // in the order in which they were found
  std::map<const spec::Rule*, std::uint64_t> tested;
  std::map<const spec::Rule*, std::array<std::uint64_t, spec::model::kSightCount>> seen;
  std::set<const spec::Rule*> left_out;  // rules whose cases were given up, after crashes or hangs
  Fired fired;
  std::vector<std::string> ready;  // the fields of the worker's `ready` answer
  std::uint64_t cases = 0;
  std::uint64_t table_cases = 0;
  std::uint64_t skipped = 0;
  std::uint64_t in_one_process = 0;  // cases whose ends cannot be in two
  double table_seconds = 0;
  // Of a replay.
  std::vector<TraceEvent> trace;
  int replays = 0;                 // how often the case was run again
  int reproduced = 0;              // how often it then showed the same
  std::vector<std::string> again;  // the cases that show it when they are replayed
};

}  // namespace conformance
