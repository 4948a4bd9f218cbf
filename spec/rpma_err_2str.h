// rpma_err_2str(3): an error code as a text. Pinned to librpma 1.3.0.
#pragma once

#include "spec/call_families.h"

namespace spec::rpma_err_2str {

constexpr bool IsCode(std::int64_t value) {
  return value <= RPMA_E_UNKNOWN && value >= RPMA_E_NOT_SHARED_CHNL;
}

using Texts = TextFamily<"rpma_err_2str", "error code", IsCode>;
inline constexpr const CallPage& kPage = Texts::kPage;

}  // namespace spec::rpma_err_2str
