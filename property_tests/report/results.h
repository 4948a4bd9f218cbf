// What a run has found, and which rule each finding is charged to.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "property_tests/report/verdict.h"
#include "property_tests/runner/worker_process.h"
#include "spec/rule.h"

namespace conformance {

inline constexpr std::size_t kNoPosition = static_cast<std::size_t>(-1);

// One finding: rules of which at least one is broken, and the case that shows it.
struct Charge {
  Ending how = Ending::kDone;  // kDone: the library answered, and wrongly
  std::vector<const spec::Rule*> blame;
  std::string text;  // the case
  std::string allowed;
  std::string seen;
  std::string stack = {};   // where the library was when it ended the worker
  std::string output = {};  // what it had printed
  // The part of the run that found it. Of a case from a list: where it stands, and the case with
  // which its worker had begun.
  std::string part = {};
  std::size_t position = kNoPosition;
  std::size_t first = 0;
  bool secondary = false;  // counts only if no rule that it blames is known to be broken
};

class Results {
 public:
  // Keeps the charge unless one that blames the same rules is as small.
  void Add(Charge charge);
  // Puts this charge in the place of the one with that blame.
  void Replace(const std::vector<const spec::Rule*>& blame, Charge charge);

  // The rule that a finding with this blame is charged to: nullptr if one that is charged already
  // explains it.
  const spec::Rule* Resolve(const std::vector<const spec::Rule*>& blame) const;

  // The smallest charge against this rule, or nullptr.
  const Charge* Against(const spec::Rule* rule) const;

  std::set<const spec::Rule*> broken() const;

 private:
  std::set<const spec::Rule*> OnTheirOwn() const;

  std::map<std::vector<const spec::Rule*>, Charge> charges_;
};

// The verdict on a rule that `tested` cases put to the test.
Verdict VerdictOn(const spec::Rule* rule, const Results& results, std::uint64_t tested,
                  bool function_missing);

}  // namespace conformance
