// Connections: rdma_connect(3), rdma_accept(3), rdma_reject(3), rdma_establish(3), rdma_notify(3),
// rdma_disconnect(3).
#include <rdma/rdma_cma.h>

#include <algorithm>

#include "abi/cm_objects.h"
#include "abi/edge.h"

namespace fakenic {
namespace {

// What a caller without parameters gets: as much as the device can, and all retries.
constexpr rdma_conn_param kDefaultParam{.private_data = nullptr,
                                        .private_data_len = 0,
                                        .responder_resources = RDMA_MAX_RESP_RES,
                                        .initiator_depth = RDMA_MAX_INIT_DEPTH,
                                        .flow_control = 0,
                                        .retry_count = 7,
                                        .rnr_retry_count = 7,
                                        .srq = 0,
                                        .qp_num = 0};

void Append(std::vector<uint8_t>& bytes, const void* data, size_t size) {
  const auto* more = static_cast<const uint8_t*>(data);
  if (data != nullptr) bytes.insert(bytes.end(), more, more + size);
}

ConnParam FromParam(const FakeCmId& fake, const rdma_conn_param* given) {
  const rdma_conn_param& param = given != nullptr ? *given : kDefaultParam;
  const ibv_qp* qp = fake.id.qp;
  ConnParam result{.private_data = fake.connect_data,
                   .responder_resources = param.responder_resources,
                   .initiator_depth = param.initiator_depth,
                   .flow_control = param.flow_control,
                   .retry_count = std::min<uint8_t>(param.retry_count, 7),
                   .rnr_retry_count = std::min<uint8_t>(param.rnr_retry_count, 7),
                   .srq = qp != nullptr ? uint8_t{qp->srq != nullptr} : param.srq,
                   .qp_num = param.qp_num};
  Append(result.private_data, param.private_data, param.private_data_len);
  return result;
}

int RejectFor(rdma_cm_id* id, int reason, const void* data, uint8_t size) {
  if (const int error = edge().faults.Fire("rdma_reject")) return Cm(error);
  std::vector<uint8_t> private_data;
  Append(private_data, data, size);
  const Locked locked;
  return Cm(edge().cm.Reject(*FromId(id).model, reason, private_data));
}

}  // namespace
}  // namespace fakenic

using fakenic::Cm;
using fakenic::edge;
using fakenic::FakeCmId;
using fakenic::FromId;
using fakenic::Locked;

extern "C" {

int rdma_connect(rdma_cm_id* id, rdma_conn_param* param) {
  if (const int error = edge().faults.Fire("rdma_connect")) return Cm(error);
  FakeCmId& fake = FromId(id);
  if (id->qp == nullptr && param == nullptr) return Cm(EINVAL);
  fakenic::DropResult(fake);
  {
    const Locked locked;
    const int error = edge().cm.Connect(*fake.model, fakenic::FromParam(fake, param));
    if (error != 0) return Cm(error);
    fake.connect_data.clear();
  }
  return AwaitResult(fake);
}

int rdma_accept(rdma_cm_id* id, rdma_conn_param* param) {
  if (const int error = edge().faults.Fire("rdma_accept")) return Cm(error);
  FakeCmId& fake = FromId(id);
  if (id->qp == nullptr && param == nullptr) return Cm(EINVAL);
  fakenic::DropResult(fake);
  {
    const Locked locked;
    const int error = edge().cm.Accept(*fake.model, fakenic::FromParam(fake, param));
    if (error != 0) return Cm(error);
    NoteQpState(fake, IBV_QPS_RTS);
  }
  return AwaitResult(fake);
}

int rdma_reject(rdma_cm_id* id, const void* private_data, uint8_t private_data_len) {
  return fakenic::RejectFor(id, fakenic::reject_reason::kConsumerDefined, private_data,
                            private_data_len);
}

int rdma_reject_ece(rdma_cm_id* id, const void* private_data, uint8_t private_data_len) {
  return fakenic::RejectFor(id, fakenic::reject_reason::kVendorOption, private_data,
                            private_data_len);
}

int rdma_establish(rdma_cm_id* id) {
  if (const int error = edge().faults.Fire("rdma_establish")) return Cm(error);
  if (id->qp != nullptr) return Cm(EINVAL);
  const Locked locked;
  return Cm(edge().cm.Establish(*FromId(id).model));
}

int rdma_notify(rdma_cm_id* id, ibv_event_type event) {
  if (const int error = edge().faults.Fire("rdma_notify")) return Cm(error);
  if (event != IBV_EVENT_COMM_EST) return Cm(EINVAL);
  const Locked locked;
  return Cm(edge().cm.NotifyCommEstablished(*FromId(id).model));
}

int rdma_disconnect(rdma_cm_id* id) {
  if (const int error = edge().faults.Fire("rdma_disconnect")) return Cm(error);
  FakeCmId& fake = FromId(id);
  if (id->verbs == nullptr) return Cm(EINVAL);
  fakenic::DropResult(fake);
  {
    const Locked locked;
    const int error = edge().cm.Disconnect(*fake.model);
    NoteQpState(fake, IBV_QPS_ERR);
    if (error != 0) return Cm(error);
  }
  return AwaitResult(fake);
}

}  // extern "C"
