#include "abi/owed_acks.h"

#include <algorithm>
#include <string>

#include "abi/edge.h"

namespace fakenic {

void ExplainWait(const char* call, const OwedAcks& owed) {
  if (owed.settled() || !edge().fabric.on_error) return;
  edge().fabric.on_error(std::string(call) + " waits for " + owed.kind + ": " +
                         std::to_string(owed.fetched) + " fetched, " + std::to_string(owed.acked) +
                         " acknowledged");
}

void WaitUntilAcked(const char* call, pthread_mutex_t& mutex, pthread_cond_t& cond,
                    std::initializer_list<OwedAcks> owed) {
  const auto settled = [&] {
    return std::all_of(owed.begin(), owed.end(), [](const OwedAcks& one) { return one.settled(); });
  };
  {
    const Locked locked;  // taken before mutex by who fetches events
    pthread_mutex_lock(&mutex);
    for (const OwedAcks& one : owed) ExplainWait(call, one);
    pthread_mutex_unlock(&mutex);
  }
  pthread_mutex_lock(&mutex);
  while (!settled()) pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_cond_destroy(&cond);
  pthread_mutex_destroy(&mutex);
}

}  // namespace fakenic
