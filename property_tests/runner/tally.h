// What all parts of a run on one stack have found together, and the verdict on each rule.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "property_tests/report/expectations.h"
#include "property_tests/report/run_result.h"
#include "property_tests/runner/part.h"
#include "property_tests/runner/suite.h"
#include "property_tests/stack.h"
#include "spec/call_page.h"

namespace conformance {

// What the user wants judged.
struct Selection {
  std::vector<const spec::Rule*> rules;               // in the order of the catalogue
  std::map<const spec::Rule*, std::string> disabled;  // those of them that are left out, and why
  // Not judged, and told only if they are seen broken all the same: those of other shards, and
  // should-rules that --strict would add.
  std::set<const spec::Rule*> told_if_broken;
  std::size_t should_rules_left_out = 0;
  bool whole_uses = true;  // what is nobody's page runs too
  std::string words;       // "all rules"

  bool Wants(std::string_view function) const;
};

class Tally {
 public:
  Tally(const Stack& stack, const Selection& selection, const Expectations& expectations)
      : stack_(stack), selection_(selection), expectations_(expectations) {}

  void Add(PartResult part);
  // Charges of whole programs count from now on, where nothing simpler explains them.
  void Settle();
  void Unfinished(const Part& part) { unfinished_.push_back(part.name()); }
  // The suite itself failed in this part, while it had this rule on trial (nullptr: none, or
  // nothing can be judged of the part without it).
  void SuiteFailed(const Part& part, const spec::Rule* rule, const std::string& sentence);
  // Why the run ends before everything was judged; the first reason stands.
  void End(const std::string& ending, const std::string& sentence);

  Known known() const { return {results_, left_out_}; }
  const Results& results() const { return results_; }
  const Fired& fired() const { return fired_; }
  bool ended() const { return ending_ != "complete"; }

  // The rules that are told of: those that are judged, and those that were broken without being
  // asked for, by what another shard judges, or by calls that crashed or hung.
  std::vector<const spec::Rule*> Told() const;
  RuleResult Judge(const spec::Rule* rule) const;
  StackResult Result() const;
  double table_seconds() const { return table_seconds_; }

 private:
  void AddReplay(const spec::Rule* rule, PartResult part);
  Verdict VerdictOf(const spec::Rule* rule) const;
  void Reason(const spec::Rule* rule, RuleResult& result) const;
  bool Missing(std::string_view function) const;
  static bool IsAboutRefusedPosts(const spec::Rule* rule);
  bool NeedsFailures(const spec::Rule* rule) const;
  bool CouldFail(const spec::Rule* rule) const;
  static bool IsAboutMemory(const spec::CallPage& page, const spec::Rule* rule);
  bool AllocationsFail() const;
  bool IsFlaky(const spec::Rule* rule) const;
  Counterexample CounterexampleOf(const spec::Rule* rule, const Charge& charge) const;
  std::uint64_t Tested(const spec::Rule* rule) const;

  Stack stack_;
  const Selection& selection_;
  const Expectations& expectations_;
  Results results_;
  std::vector<Charge> secondary_;
  std::set<const spec::Rule*> left_out_;
  std::map<const spec::Rule*, std::uint64_t> tested_;
  std::map<const spec::Rule*, std::array<std::uint64_t, spec::model::kSightCount>> seen_;
  std::map<const spec::Rule*, PartResult> replays_;
  std::set<std::string, std::less<>> internal_;  // functions whose part the suite could not finish
  std::set<const spec::Rule*> internal_rules_;   // at which it failed
  std::string internal_sentence_;                // how it failed first; "": it did not
  std::vector<std::string> ready_;
  std::vector<std::string> unfinished_;
  std::string ending_ = "complete";
  std::string sentence_;
  Fired fired_;
  std::uint64_t cases_ = 0;
  std::uint64_t table_cases_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t in_one_process_ = 0;
  double table_seconds_ = 0;
};

// `word` quoted for a shell, if it needs to be.
std::string ShellWord(const std::string& word);
std::string_view NameOf(spec::Force force);

}  // namespace conformance
