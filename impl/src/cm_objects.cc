#include "cm_objects.h"

namespace rpma {

CmId CmId::Make(rdma_event_channel* channel) {
  rdma_cm_id* id = nullptr;
  ThrowIf(
      CmResult(rdma_create_id(channel, &id, /*context=*/nullptr, RDMA_PS_TCP), "rdma_create_id"));
  CmId made;
  made.id_ = Handle<rdma_cm_id, Destroy>(id);
  return made;
}

CmId CmId::OfRequest(rdma_cm_id* id) {
  CmId request;
  request.id_ = Handle<rdma_cm_id, Destroy>(id);
  request.unanswered_ = true;
  return request;
}

int CmId::Close() noexcept {
  if (!id_) return 0;
  FirstError error;
  if (unanswered_) error.Add(CmResult(rdma_reject(id_.get(), nullptr, 0), "rdma_reject"));
  unanswered_ = false;
  error.Add(id_.Close());
  return error.Result();
}

CmId::~CmId() {
  ErrnoKeeper keeper;
  Close();
}

int NextCmEvent(rdma_event_channel* channel, rdma_cm_event** event) {
  if (rdma_get_cm_event(channel, event) == 0) return 0;
  // The kernel says EAGAIN; ENODATA is what librpma 1.3 looked for.
  if (errno == EAGAIN || errno == ENODATA) return RPMA_E_NO_EVENT;
  return ProviderFailure("rdma_get_cm_event", errno);
}

}  // namespace rpma
