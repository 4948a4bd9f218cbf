#pragma once

#include "mr_local.h"

namespace rpma {

inline constexpr uint32_t kFlushSize = 8;

int Unmap(void* page) noexcept;

// Where the reads of a connection's flushes go. A page of its own, because after a fork(2) the
// child may be without the pages of registered memory.
class FlushBuffer {
 public:
  // Throws RPMA_E_NOMEM or RPMA_E_PROVIDER.
  explicit FlushBuffer(const rpma_peer& peer);
  FlushBuffer(const FlushBuffer&) = delete;
  FlushBuffer& operator=(const FlushBuffer&) = delete;
  ~FlushBuffer();

  // Deregisters and unmaps; 0 or the error. No QP may use it any more.
  int Close() noexcept;

  uint64_t addr() const noexcept { return mr_.addr; }
  uint32_t lkey() const noexcept { return mr_.lkey; }

 private:
  Handle<void, Unmap> page_;
  rpma_mr_local mr_;
};

}  // namespace rpma
