// Judges one part of a run, with a worker of its own.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "property_tests/page_checks.h"
#include "property_tests/report/results.h"
#include "property_tests/runner/case_list.h"
#include "property_tests/runner/part.h"
#include "property_tests/runner/rapidcheck_engine.h"
#include "property_tests/runner/worker_process.h"

namespace conformance {

// What is known before a part begins.
struct Known {
  Results results;
  std::set<const spec::Rule*> left_out;  // rules whose cases crash or hang: no more of them
};

class Suite {
 public:
  Suite(const Stack& stack, const Amount& amount, Known known = {},
        const std::string& board_file = "");

  // Also of what was judged before the run was interrupted.
  PartResult Run(const Part& part, const std::vector<std::string>& past_failures = {});

  WorkerProcess& worker() { return worker_; }

 private:
  Outcome RunPart(const Part& part, const std::vector<std::string>& past_failures);
  Outcome RunFile();
  Outcome RunScripts(const Part& part);
  Outcome RunTable(const Part& part);
  Outcome RunSequences(const PageChecks& checks);
  Outcome RunPrograms(std::size_t page);
  Outcome RunPast(const std::vector<std::string>& cases);
  Outcome RunSweep(const Part& part);
  Outcome RunLives();

  using RunOne = std::function<Outcome(std::vector<Charge>&)>;
  using Engine = std::function<EngineResult(std::uint64_t seed, int cases,
                                            const std::function<bool(const RunOne&)>& holds)>;
  Outcome Search(std::uint64_t seed, const Engine& engine);
  Outcome RunList(const CaseList& list);
  std::vector<std::string> RequestOf(const CaseList& list, std::size_t first,
                                     std::size_t end) const;
  void AddLeftOut(std::vector<std::string>& request) const;
  // One case in the worker; a charge if it broke a rule, whatever way.
  Outcome RunCase(const std::string& text, std::vector<Charge>& charges);
  Outcome RunProgram(const Program& program, std::vector<Charge>& charges);
  void Add(Charge charge);
  // Counts an abnormal end on a rule's account; after too many its cases are left out.
  void CountAbnormal(const spec::Rule* rule);
  bool LeftOut(const Program& program) const;
  bool Missing(std::string_view function) const;  // the library does not export it

  // Of a replay (reproduce.cc).
  Outcome Reproduce(const spec::Rule* rule);
  bool ReplayShows(const Charge& charge, const std::vector<std::string>& cases);
  bool RangeShows(const Charge& charge, const CaseList& list, std::size_t first);
  void FindContext(const Charge& charge);
  void BlameTheFirst(const Charge& charge, const CaseList& list);

  Stack stack_;
  Amount amount_;
  WorkerProcess worker_;
  Results results_;
  std::set<const spec::Rule*> left_out_;
  std::map<const spec::Rule*, int> abnormal_;  // crashes, exits and hangs by rule
  PartResult result_;
};

}  // namespace conformance
