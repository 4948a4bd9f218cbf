#pragma once

#include <librpma.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace rpma {

// Which SRQ a configuration names, without keeping it alive.
class NamedSrq {
 public:
  // NULL names none.
  void Set(rpma_srq* srq);

  // The SRQ, NULL for none; throws RPMA_E_INVAL if the one that was named is deleted.
  std::shared_ptr<rpma_srq> Get() const;

 private:
  mutable std::mutex mutex_;
  std::weak_ptr<rpma_srq> srq_;
  bool names_one_ = false;
};

}  // namespace rpma

// Atomic, because threads may set and read one configuration.
struct rpma_conn_cfg {
  // cfg, or the defaults for NULL.
  static const rpma_conn_cfg& OrDefaults(const rpma_conn_cfg* cfg);

  // RPMA_E_INVAL if no connection can be as it says: its SRQ is deleted, or it has a shared channel
  // and an SRQ with a CQ, which has a channel of its own.
  int Check() const;

  std::atomic<int> timeout_ms{RPMA_DEFAULT_TIMEOUT_MS};
  std::atomic<uint32_t> cq_size{10};
  std::atomic<uint32_t> rcq_size{0};
  std::atomic<uint32_t> sq_size{10};
  std::atomic<uint32_t> rq_size{10};
  std::atomic<bool> has_shared_channel{false};
  rpma::NamedSrq srq;
};
