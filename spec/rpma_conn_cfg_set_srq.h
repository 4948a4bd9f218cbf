// rpma_conn_cfg_set_srq(3): where the receives of a connection come from. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_conn_cfg_set_srq {

using Set = SetFamily<"rpma_conn_cfg_set_srq", "cfg", "srq">;

inline constexpr Rule kSrqNull = Set::F::Should<"srq-null">(
    "ERRORS", model::Sight::kAccepted,
    "A call without srq, which the page does not mention, takes a shared receive queue back.");

inline constexpr auto kRules = Together(Set::kRules, These(&kSrqNull));
inline constexpr OpenCase kOpen[] = {{&kSrqNull, [](const Call& call) { return call[1].null(); }}};

inline constexpr CallPage kPage = [] {
  CallPage page = Set::kPage;
  page.rules = kRules;
  page.open = kOpen;
  return page;
}();

}  // namespace spec::rpma_conn_cfg_set_srq
