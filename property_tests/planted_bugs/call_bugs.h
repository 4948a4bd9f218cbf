// Bugs in calls: every function of the pages of calls passes through here on its way to the
// reference, and the one whose rule PLANTED_BUG names goes wrong.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "property_tests/script/functions.h"
#include "spec/call_page.h"

namespace planted {

// One call of a function on its way through.
struct PassingCall {
  const conformance::Function* function;
  const spec::CallPage* page;
  std::array<std::uint64_t, 6> arguments;
  std::int64_t (*real)(const PassingCall&);

  std::int64_t Real() const { return real(*this); }
  // The first out-parameter that is not NULL and no handle to be ended; nullptr if there is none.
  unsigned char* out(std::size_t* size = nullptr) const;
};

// Bugs that the page's own data do not say how to make.
struct SpecialBug {
  std::string_view rule;
  std::int64_t (*call)(const PassingCall&);
  bool everywhere = false;  // in calls of all functions, not of the rule's alone
};
std::span<const SpecialBug> LogBugs();
std::span<const SpecialBug> ObjectBugs();
const SpecialBug* FindSpecialBug(std::string_view rule);
std::span<const SpecialBug> ConnectionBugs();
// For a rule about the failure of an allocation that the reference does not make: makes it, and
// says the wrong thing when it fails.
std::int64_t MisreportsAllocation(const PassingCall& call);

// A bug that must not spoil every call acts once, at the call that PLANTED_CALL numbers (from 1).
// True for that one.
bool ItsTurn();

// Leaves an event channel open.
void Leak();

}  // namespace planted
