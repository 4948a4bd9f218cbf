#pragma once

#include <atomic>
#include <memory>

#include "atomic_write.h"
#include "cm_objects.h"
#include "conn_cfg.h"
#include "cq.h"
#include "flush_buffer.h"
#include "peer.h"
#include "private_data.h"
#include "srq.h"

// A connection from the time that its cm_id exists. Until rpma_conn_req_connect() the request owns
// it, so connecting moves nothing and needs no memory.
struct rpma_conn {
  // Takes id, which has a device, to an event channel of its own and gives it CQs and a QP. Throws
  // RPMA_E_PROVIDER; id is then destroyed, and rejected first if it is a request.
  rpma_conn(rpma::CmId id, const rpma_peer& peer, const rpma_conn_cfg& cfg);

  // Destroys every part, whether or not the ones before it could be; 0 or the first error.
  int Close() noexcept;

  // What the operations use: the QP, the same QP if it writes atomically by itself, and how it
  // writes 8 bytes in one piece.
  ibv_qp* qp = nullptr;
  ibv_qp_ex* atomic_write_qp = nullptr;
  rpma::AtomicWrite* atomic_write = rpma::WriteInline;

  // In the order in which one needs the other: destroyed from the last to the first.
  std::shared_ptr<const rpma_srq> srq;  // NULL if it has none
  rpma::EventChannel event_channel;
  rpma::FlushBuffer flush_buffer;
  rpma::CompChannel shared_channel;
  rpma::CmId id;
  std::unique_ptr<rpma::CompletionQueue> cq;
  std::unique_ptr<rpma::CompletionQueue> rcq;
  rpma::Qp id_qp;

  rpma::PrivateData private_data;

  // What the other side said; atomic, because it may say so while operations run.
  std::atomic<bool> remote_has_direct_write_to_pmem{false};

  // Whether RPMA_CONN_CLOSED was reported.
  std::atomic<bool> closed{false};

 private:
  void CreateQp(const rpma_peer& peer, const rpma_conn_cfg& cfg);
};
