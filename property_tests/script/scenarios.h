// What the fault sweep works on: whole uses of the library, and the calls that can fail in them.
#pragma once

#include <span>
#include <string_view>

namespace conformance {

struct Scenario {
  std::string_view name;
  const char* calls;  // a script, its normal clean-up included
};

// A verb, an RDMA CM call or an allocation, and the errno that it fails with.
struct FailingCall {
  const char* name;
  const char* error;
};

std::span<const Scenario> Scenarios();
std::span<const FailingCall> FailingCalls();

}  // namespace conformance
