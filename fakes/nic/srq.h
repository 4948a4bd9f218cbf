// A shared receive queue: receives for the messages of many queue pairs.
//
// Differs from hardware:
//  - holds exactly the number of receives asked for; devices round up.
//  - cannot be resized, and says so (no device capability for it).
#pragma once

#include <cstdint>

#include "nic/pd.h"
#include "nic/recv_queue.h"

namespace fakenic {

struct Srq {
  Srq(Pd* domain, uint32_t max_wr, uint32_t max_sge) : pd(domain), queue(max_wr, max_sge) {}

  Pd* pd;
  RecvQueue queue;
  uint32_t limit = 0;  // armed to report that fewer receives than this wait; 0: not armed
  uint32_t handle = 0;
  uint32_t users = 0;    // queue pairs attached
  void* user = nullptr;  // whoever wraps it
};

}  // namespace fakenic
