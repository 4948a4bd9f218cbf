// What a run has found, and which rule each finding is charged to.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "property_tests/runner/worker_process.h"
#include "spec/rule.h"

namespace conformance {

// One finding: rules of which at least one is broken, and the case that shows it.
struct Charge {
  Ending how = Ending::kDone;  // kDone: the library answered, and wrongly
  std::vector<const spec::Rule*> blame;
  std::string text;  // the case
  std::string allowed;
  std::string seen;
};

enum class Verdict {
  kPass,
  kFail,
  kCrash,
  kTimeout,
  kExit,
  kMissing,
  kInconclusive,
  kUnsupported,  // this NIC cannot put the rule to the test
  kExpected,     // broken, as the expectations say
  kUnexpected,   // holds, though the expectations say that it is broken
  kSeen,
};
inline constexpr int kVerdictCount = 11;
std::string_view NameOf(Verdict verdict);

class Results {
 public:
  // Keeps the charge unless one that blames the same rules is as small.
  void Add(Charge charge);

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
