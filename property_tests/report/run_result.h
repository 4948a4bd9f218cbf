// The result of a run as a value: what every report is written from, and what JSON keeps.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "property_tests/report/verdict.h"
#include "property_tests/worker/trace.h"

namespace conformance {

struct Sighting {
  std::uint64_t count = 0;
  std::string what;
};

// How a rule was seen broken.
struct Counterexample {
  std::string text;  // the case; "": of the library as a file
  std::string allowed;
  std::string seen;
  std::string stack;   // of a crash or a hang, one call a line
  std::string output;  // what the library had printed
  std::string replay;  // the command line that shows it again; "": there is none
  int replays = 0;     // how often the suite has run it again
  int reproduced = 0;  // how often it then showed the same
  std::vector<TraceEvent> trace;
};

struct RuleResult {
  std::string rule;
  std::string page;
  std::string section;
  std::string force;
  std::string sentence;
  Verdict verdict = Verdict::kInconclusive;
  std::string reason;  // of a verdict that needs one: of a skip, an expectation
  std::string link;    // of an expectation
  std::uint64_t cases = 0;
  std::vector<Sighting> sightings;
  bool was_broken = false;  // then there is a counterexample
  Counterexample counterexample;

  std::string function() const { return rule.substr(0, rule.find('.')); }
  std::string name() const { return rule.substr(rule.find('.') + 1); }
  // "rpma_mr_reg(3), ERRORS", and what is not a must.
  std::string place() const {
    return page + ", " + section + (force == "should" ? ", should" : "");
  }
};

struct StackResult {
  std::string library;
  std::string nic;    // "fake" or "system"
  std::string verbs;  // the file behind libibverbs.so.1
  std::string address;
  std::string ends = "one process";  // of a connection; or "two processes"
  std::uint64_t in_one_process = 0;  // cases whose ends cannot be in two, if they would be
  // Or "interrupted", "time budget", "environment"; "internal": it went on, but the suite failed in
  // some of it.
  std::string ending = "complete";
  std::string sentence;                 // about an ending that is not complete
  std::vector<std::string> unfinished;  // parts of the run
  std::uint64_t cases = 0;
  std::uint64_t argument_cases = 0;
  std::uint64_t left_out = 0;  // cases, after repeated crashes, hangs or vain waits
  std::vector<RuleResult> rules;

  std::string name() const { return library + " on " + nic; }
  std::map<Verdict, int> Counts() const;
};

struct RunResult {
  std::string suite;  // its version
  std::string mode;
  std::uint64_t seed = 0;
  std::uint64_t programs = 0;               // random programs a page
  std::string selection;                    // in words
  bool strict = false;                      // should-rules were judged
  std::uint64_t should_rules_left_out = 0;  // those of the selection, if they were not
  std::map<std::string, std::string> environment;
  std::vector<StackResult> stacks;
  // All that may differ between two runs of one seed.
  double seconds = 0;
  double argument_cases_a_second = 0;
  int workers = 1;
};

enum ExitStatus {
  kExitHolds = 0,
  kExitBroken = 1,
  kExitInconclusive = 2,
  kExitEnvironment = 3,
  kExitUsage = 64,
  kExitInternal = 70,
};

// `fail_on_skip`: a rule that was skipped for whatever reason makes the run inconclusive.
int ExitStatusOf(const StackResult& stack, bool fail_on_skip);
// Of several: the one that needs attention first.
int ExitStatusOf(const RunResult& run, bool fail_on_skip);

}  // namespace conformance
