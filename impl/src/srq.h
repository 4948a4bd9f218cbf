#pragma once

#include <memory>

#include "cq.h"
#include "peer.h"
#include "srq_cfg.h"

// Shared by its caller and by the connections that take their receives from it, so that what a
// connection still uses goes after that connection.
struct rpma_srq : std::enable_shared_from_this<rpma_srq> {
  // Throws RPMA_E_PROVIDER.
  rpma_srq(const rpma_peer& peer, const rpma_srq_cfg& cfg);

  // Destroys every part, whether or not the ones before it could be; 0 or the first error.
  int Close() noexcept;

  // The caller's share; NULL from rpma_srq_delete() on.
  std::shared_ptr<rpma_srq> callers_share;

  rpma::Srq srq;
  std::unique_ptr<rpma::CompletionQueue> rcq;  // NULL if it has none
};
