// What may be said of a rule after a run.
#pragma once

#include <optional>
#include <string_view>

namespace conformance {

enum class Verdict {
  kPass,
  kFail,
  kCrash,
  kTimeout,
  kExit,
  kMemory,        // the worker held too much memory
  kOutput,        // it printed without end
  kMissing,       // the library does not export the function
  kFlaky,         // it was seen broken, and its case did not show it again
  kInconclusive,  // no case put it to the test
  kUnsupported,   // this NIC or this library cannot put it to the test
  kMoot,          // about a failure of a call that the library was seen not to make
  kDisabled,      // the user left it out
  kExpected,      // broken, as the expectations say
  kUnexpected,    // holds, though the expectations say that it is broken
  kSeen,
  kEnvironment,  // what the run needs was not there
  kInternal,     // the suite itself failed
};
inline constexpr int kVerdictCount = 18;

// As reports spell it: "PASS".
std::string_view NameOf(Verdict verdict);
std::optional<Verdict> FindVerdict(std::string_view name);

// The library does not conform, or not as it was said to.
bool IsBroken(Verdict verdict);
// Nothing was learnt about the rule: each of these comes with a reason.
bool IsSkip(Verdict verdict);

}  // namespace conformance
