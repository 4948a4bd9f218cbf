// What is destroyed waits for the acknowledgement of its events: ibv_ack_cq_events(3),
// ibv_get_async_event(3), rdma_ack_cm_event(3).
#pragma once

#include <pthread.h>

#include <cstdint>
#include <initializer_list>

namespace fakenic {

// Events of one kind that a program has to acknowledge, neither fewer nor more than it fetched.
struct OwedAcks {
  const char* kind;
  const uint32_t& fetched;
  const uint32_t& acked;

  bool settled() const { return acked == fetched; }
};

// Says for a person that the call waits, and for what. Requires the lock of the edge.
void ExplainWait(const char* call, const OwedAcks& owed);

// Waits until all are settled, and destroys the lock and the condition that the acknowledgements of
// the object use.
void WaitUntilAcked(const char* call, pthread_mutex_t& mutex, pthread_cond_t& cond,
                    std::initializer_list<OwedAcks> owed);

}  // namespace fakenic
