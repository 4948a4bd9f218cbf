// How long a requester goes on trying.
#pragma once

#include <cstdint>

#include "nic/profile.h"
#include "nic/qp_attr.h"

namespace fakenic {

// For an answer: 4.096 us * 2^timeout, once for each transmission; 0 means for ever.
uint64_t TransportBudgetNs(const QpAttr& attr, const Profile& profile);

// For a receive, of a responder with this timer; 0 means for ever. Requires rnr_retry > 0.
uint64_t RnrBudgetNs(const QpAttr& attr, uint8_t min_rnr_timer);

}  // namespace fakenic
