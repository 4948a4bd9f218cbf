// A completion channel: the queue of completion events that armed CQs raise.
#pragma once

#include <cstdint>

#include "nic/event_queue.h"

namespace fakenic {

class Cq;

struct CompChannel {
  EventQueue<Cq*> events;
  uint32_t cqs = 0;  // CQs created on it; a channel that has any cannot be destroyed
};

}  // namespace fakenic
