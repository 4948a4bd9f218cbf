// The RDMA CM objects that the library owns.
#pragma once

#include <rdma/rdma_cma.h>

#include "handle.h"

namespace rpma {

inline int DestroyEventChannel(rdma_event_channel* channel) noexcept {
  rdma_destroy_event_channel(channel);
  return 0;
}
using EventChannel = Handle<rdma_event_channel, DestroyEventChannel>;

inline int DestroyAddrInfo(rdma_addrinfo* info) noexcept {
  rdma_freeaddrinfo(info);
  return 0;
}
using AddrInfo = Handle<rdma_addrinfo, DestroyAddrInfo>;

// A cm_id has at most one QP, so the id stands for it here.
inline int DestroyQp(rdma_cm_id* id) noexcept {
  rdma_destroy_qp(id);
  return 0;
}
using Qp = Handle<rdma_cm_id, DestroyQp>;

// A cm_id, and whether it is an incoming request that waits for its answer. Such an id is rejected
// before it is destroyed, so that the other side learns at once.
class CmId {
 public:
  CmId() = default;

  // A new id on channel; NULL makes its calls wait for their event.
  static CmId Make(rdma_event_channel* channel);
  // The id of a connection request.
  static CmId OfRequest(rdma_cm_id* id);

  int Close() noexcept;

  bool is_unanswered_request() const noexcept { return unanswered_; }
  void SetAnswered() noexcept { unanswered_ = false; }

  rdma_cm_id* get() const noexcept { return id_.get(); }
  rdma_cm_id* operator->() const noexcept { return id_.get(); }

  CmId(CmId&& other) noexcept = default;
  CmId& operator=(CmId&& other) noexcept = default;
  ~CmId();

 private:
  static int Destroy(rdma_cm_id* id) noexcept {
    return CmResult(rdma_destroy_id(id), "rdma_destroy_id");
  }

  Handle<rdma_cm_id, Destroy> id_;
  bool unanswered_ = false;
};

// Reads the next event of channel: 0, RPMA_E_NO_EVENT (O_NONBLOCK and none there) or PROVIDER.
int NextCmEvent(rdma_event_channel* channel, rdma_cm_event** event);

}  // namespace rpma
