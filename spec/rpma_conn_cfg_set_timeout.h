// rpma_conn_cfg_set_timeout(3): how long a connection may take to be established. Pinned to librpma
// 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_conn_cfg_set_timeout {

using Set = SetFamily<"rpma_conn_cfg_set_timeout", "cfg", "timeout_ms">;

inline constexpr Rule kNegative = Set::F::Must<"timeout-negative">(
    "ERRORS", "A call with a negative timeout_ms is refused with RPMA_E_INVAL.");

inline constexpr auto kRules = Together(Set::kRules, These(&kNegative));
inline constexpr Clause<Call> kErrors[] = {
    Set::kErrors[0],
    {&kNegative, [](const Call& call) { return static_cast<int>(call[1].word) < 0; },
     RPMA_E_INVAL}};

inline constexpr CallPage kPage = [] {
  CallPage page = Set::kPage;
  page.rules = kRules;
  page.errors = kErrors;
  return page;
}();

}  // namespace spec::rpma_conn_cfg_set_timeout
