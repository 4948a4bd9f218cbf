#pragma once

#include <memory>

#include "verbs_objects.h"

namespace rpma {

// A CQ and its channel. The handle that callers have of it, a rpma_cq, is the address of the
// device's ibv_cq, whose cq_context leads back here: so a poll has one thing less to look up.
struct CompletionQueue {
  // A CQ for size completions, armed, on shared_channel or, if that is NULL, on a channel of its
  // own. Throws RPMA_E_PROVIDER.
  CompletionQueue(ibv_context* context, uint32_t size, ibv_comp_channel* shared_channel);

  // Destroys the CQ and its channel; 0 or the first error.
  int Close() noexcept;

  // Acknowledges an event of the CQ and arms it again; 0 or RPMA_E_PROVIDER.
  int AckEvent() noexcept;

  bool has_shared_channel() const noexcept { return !own_channel; }

  CompChannel own_channel;
  ibv_comp_channel* channel;
  Cq cq;
};

// NULL for none.
inline rpma_cq* HandleOf(const std::unique_ptr<CompletionQueue>& queue) noexcept {
  return queue ? reinterpret_cast<rpma_cq*>(queue->cq.get()) : nullptr;
}

inline ibv_cq* DeviceCq(rpma_cq* handle) noexcept { return reinterpret_cast<ibv_cq*>(handle); }

inline CompletionQueue& QueueOf(const rpma_cq* handle) noexcept {
  return *static_cast<CompletionQueue*>(reinterpret_cast<const ibv_cq*>(handle)->cq_context);
}

}  // namespace rpma
