// Runs everything there is about some pages on one stack: argument tables, sequences, random
// programs.
#pragma once

#include <functional>
#include <string>

#include "property_tests/page_checks.h"
#include "property_tests/report/results.h"
#include "property_tests/runner/rapidcheck_engine.h"
#include "property_tests/runner/worker_process.h"

namespace conformance {

class Suite {
 public:
  Suite(const Stack& stack, const Amount& amount);

  // Runs one page. kDone, kUnusable or kInterrupted.
  Outcome RunPage(const PageChecks& checks);

  // The library as a file, which is not loaded.
  Outcome RunFile();

  // The same of a page of calls, by its place in AllScriptChecks().
  Outcome RunScripts(std::size_t checks);

  // The fault sweep over whole uses of the library, where calls can be made to fail.
  Outcome RunSweep();
  // Random scripts over the library's objects.
  Outcome RunLives();
  // How often each call failed in each scenario of the sweep.
  using Fired = std::map<std::string, std::map<std::string, int>>;
  const Fired& fired() const { return fired_; }

  bool Missing(std::string_view function) const;  // the library does not export it
  Verdict VerdictOf(const spec::Rule* rule);
  const Results& results() const { return results_; }
  WorkerProcess& worker() { return worker_; }
  std::uint64_t skipped() const {
    return skipped_;
  }  // cases left out after too many crashes or vain waits
  std::uint64_t table_cases() const { return table_cases_; }
  double table_seconds() const { return table_seconds_; }

 private:
  Outcome RunTable(std::size_t page);
  bool NeedsFailures(const spec::Rule* rule) const;
  Outcome RunSequences(const PageChecks& checks);
  Outcome RunPrograms(std::size_t page);
  using RunOne = std::function<Outcome(std::vector<Charge>&)>;
  using Engine = std::function<EngineResult(std::uint64_t seed, int cases,
                                            const std::function<bool(const RunOne&)>& holds)>;
  Outcome Search(std::uint64_t seed, const Engine& engine);
  Outcome RunList(const std::vector<std::string>& list,
                  const std::function<std::string(std::size_t)>& text);
  void AddLeftOut(std::vector<std::string>& request) const;
  // One case in the worker; a charge if it broke a rule, whatever way.
  Outcome RunCase(const std::string& text, std::vector<Charge>& charges);
  Outcome RunProgram(const Program& program, std::vector<Charge>& charges);
  bool Abnormal(const Outcome& outcome) const;
  // Counts an abnormal end on a rule's account; after too many its cases are left out.
  void CountAbnormal(const spec::Rule* rule);
  bool LeftOut(const Program& program) const;

  Stack stack_;
  Amount amount_;
  WorkerProcess worker_;
  Results results_;
  std::map<const spec::Rule*, int> abnormal_;  // crashes, exits and hangs by rule
  std::set<const spec::Rule*> left_out_;
  Fired fired_;
  std::uint64_t skipped_ = 0;
  std::uint64_t table_cases_ = 0;
  double table_seconds_ = 0;
};

}  // namespace conformance
