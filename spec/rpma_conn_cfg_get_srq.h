// rpma_conn_cfg_get_srq(3): asks for what rpma_conn_cfg_set_srq(3) set. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_conn_cfg_get_srq {

using Get = GetFamily<"rpma_conn_cfg_get_srq", "cfg", "srq_ptr", "srq",
                      "*srq_ptr becomes the shared receive queue that the configuration has: NULL, "
                      "unless another was set.">;

inline constexpr Rule kDeleted = Get::F::Open<"srq-deleted">(
    "DESCRIPTION", "What a call gives whose shared receive queue is deleted.");

inline constexpr auto kRules = Together(Get::kRules, These(&kDeleted));
inline bool IsDeleted(const Call& call) {
  const std::uint64_t srq = call[0].thing->number("srq");
  return srq != 0 && call.world->Find(srq) == nullptr;
}
inline constexpr OpenCase kOpen[] = {{&kDeleted, IsDeleted}};

inline void Succeeded(model::Outcome& outcome) {
  if (!IsDeleted(outcome.call())) Get::kPage.succeeded(outcome);
}

inline constexpr CallPage kPage = [] {
  CallPage page = Get::kPage;
  page.rules = kRules;
  page.open = kOpen;
  page.succeeded = Succeeded;
  return page;
}();

}  // namespace spec::rpma_conn_cfg_get_srq
