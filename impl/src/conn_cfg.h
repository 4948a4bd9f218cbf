#pragma once

#include <librpma.h>

#include <atomic>
#include <cstdint>

// Atomic, because threads may set and read one configuration.
struct rpma_conn_cfg {
  // cfg, or the defaults for NULL.
  static const rpma_conn_cfg& OrDefaults(const rpma_conn_cfg* cfg);

  // Whether no connection can be as it says: with a shared channel and an SRQ that has a CQ, which
  // has a channel of its own.
  bool IsContradictory() const;

  std::atomic<int> timeout_ms{RPMA_DEFAULT_TIMEOUT_MS};
  std::atomic<uint32_t> cq_size{10};
  std::atomic<uint32_t> rcq_size{0};
  std::atomic<uint32_t> sq_size{10};
  std::atomic<uint32_t> rq_size{10};
  std::atomic<bool> has_shared_channel{false};
  std::atomic<rpma_srq*> srq{nullptr};
};
