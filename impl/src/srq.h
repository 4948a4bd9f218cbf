#pragma once

#include <memory>

#include "cq.h"
#include "peer.h"
#include "srq_cfg.h"

struct rpma_srq {
  // Throws RPMA_E_PROVIDER.
  rpma_srq(const rpma_peer& peer, const rpma_srq_cfg& cfg);

  // Destroys every part, whether or not the ones before it could be; 0 or the first error.
  int Close() noexcept;

  rpma::Srq srq;
  std::unique_ptr<rpma_cq> rcq;  // NULL if it has none
};
