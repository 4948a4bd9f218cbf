// Event channels and events: rdma_create_event_channel(3), rdma_get_cm_event(3),
// rdma_ack_cm_event(3).
#include "cm/cm_event.h"

#include <rdma/rdma_cma.h>

#include <memory>
#include <system_error>

#include "abi/cm_device.h"
#include "abi/cm_objects.h"
#include "abi/edge.h"

namespace fakenic {

FakeEventChannel::FakeEventChannel() {
  channel.fd = model.fd().get();
  const Locked locked;
  ++edge().event_channels;
}

FakeEventChannel::~FakeEventChannel() {
  const Locked locked;
  edge().cm.CloseChannel(model);
  --edge().event_channels;
}

namespace {

// The struct for a connection request's new id: it has its listener's channel and context.
FakeCmId* AdoptRequest(CmId& child, FakeCmId& listener) {
  auto* fake = new FakeCmId;
  fake->model = &child;
  child.user = fake;
  fake->id.channel = listener.id.channel;  // under a synchronous listener, for a moment
  fake->id.context = listener.id.context;
  fake->id.ps = listener.id.ps;
  fake->id.qp_type = listener.id.qp_type;
  Refresh(*fake);
  return fake;
}

std::unique_ptr<FakeCmEvent> Report(CmEvent& event) {
  auto report = std::make_unique<FakeCmEvent>();
  report->owner = static_cast<FakeCmId*>(event.owner()->user);
  if (event.listen_id != nullptr) {
    report->event.listen_id = &report->owner->id;
    report->event.id = &AdoptRequest(*event.id, *report->owner)->id;
  } else {
    report->event.id = &report->owner->id;
  }
  if (event.type == CmEventType::kAddrResolved || event.type == CmEventType::kRouteResolved) {
    Refresh(*report->owner);
  }
  report->event.event = static_cast<rdma_cm_event_type>(event.type);
  report->event.status = event.status;
  report->private_data = std::move(event.param.private_data);
  rdma_conn_param& conn = report->event.param.conn;
  conn.private_data = report->private_data.empty() ? nullptr : report->private_data.data();
  conn.private_data_len = static_cast<uint8_t>(report->private_data.size());
  conn.responder_resources = event.param.responder_resources;
  conn.initiator_depth = event.param.initiator_depth;
  conn.flow_control = event.param.flow_control;
  conn.retry_count = event.param.retry_count;
  conn.rnr_retry_count = event.param.rnr_retry_count;
  conn.srq = event.param.srq;
  conn.qp_num = event.param.qp_num;
  ++report->owner->events_reported;
  return report;
}

void Acknowledge(FakeCmEvent* event) {
  ++event->owner->events_acked;
  edge().acked.notify_all();
  delete event;
}

// The public struct of an id's queue pair follows what the library does with it inside the fetch.
void NoteMovedQp(const CmEvent& event) {
  auto* fake = static_cast<FakeCmId*>(event.id->user);
  if (fake == nullptr) return;
  if (event.type == CmEventType::kRejected || event.type == CmEventType::kConnectError) {
    NoteQpState(*fake, IBV_QPS_ERR);
  } else if (event.type == CmEventType::kEstablished && fake->id.qp != nullptr &&
             fake->id.qp->state == IBV_QPS_INIT) {
    NoteQpState(*fake, IBV_QPS_RTS);
  }
}

// The next event that the program gets to see.
std::unique_ptr<FakeCmEvent> Fetch(EventChannel& channel) {
  const Locked locked;
  auto raised = channel.Pop();
  if (!raised || !edge().cm.Fetched(*raised)) return nullptr;
  NoteMovedQp(*raised);
  return Report(*raised);
}

// A request to a synchronous listener becomes synchronous itself. Without a channel for it there is
// no id, and the client is rejected.
bool MakeSynchronous(FakeCmEvent& event) {
  if (event.event.event != RDMA_CM_EVENT_CONNECT_REQUEST || !event.owner->sync) return true;
  if (rdma_migrate_id(event.event.id, nullptr) == 0) return true;
  rdma_destroy_id(event.event.id);
  return false;
}

// The errno of a synchronous call that ended with this event.
int ResultError(const rdma_cm_event& event) {
  if (event.status == 0) return 0;
  if (event.event == RDMA_CM_EVENT_REJECTED) return ECONNREFUSED;
  return event.status < 0 ? -event.status : ETIMEDOUT;
}

}  // namespace

int AwaitResult(FakeCmId& fake) {
  if (!fake.sync) return 0;
  if (rdma_get_cm_event(fake.id.channel, &fake.id.event) != 0) return -1;
  return Cm(ResultError(*fake.id.event));
}

void DropResult(FakeCmId& fake) {
  if (!fake.sync || fake.id.event == nullptr) return;
  rdma_cm_event* event = fake.id.event;
  fake.id.event = nullptr;
  const Locked locked;
  Acknowledge(From<FakeCmEvent>(event));
}

}  // namespace fakenic

using fakenic::Cm;
using fakenic::edge;
using fakenic::FakeCmEvent;
using fakenic::FakeEventChannel;
using fakenic::From;
using fakenic::Locked;

extern "C" {

rdma_event_channel* rdma_create_event_channel(void) {
  if (const int error = edge().faults.Fire("rdma_create_event_channel")) {
    return fakenic::Null<rdma_event_channel>(error);
  }
  try {
    return &(new FakeEventChannel)->channel;
  } catch (const std::system_error& failure) {
    return fakenic::Null<rdma_event_channel>(failure.code().value());
  }
}

void rdma_destroy_event_channel(rdma_event_channel* channel) {
  delete From<FakeEventChannel>(channel);
}

int rdma_get_cm_event(rdma_event_channel* channel, rdma_cm_event** event) {
  if (const int error = edge().faults.Fire("rdma_get_cm_event")) return Cm(error);
  if (event == nullptr) return Cm(EINVAL);
  fakenic::EventChannel& model = fakenic::FromChannel(channel);
  while (true) {
    if (const int error = model.fd().Take()) return Cm(error);
    std::unique_ptr<FakeCmEvent> fetched = fakenic::Fetch(model);
    if (fetched == nullptr) continue;
    *event = &fetched.release()->event;
    if (fakenic::MakeSynchronous(*From<FakeCmEvent>(*event))) return 0;
    rdma_ack_cm_event(*event);
  }
}

int rdma_ack_cm_event(rdma_cm_event* event) {
  if (event == nullptr) return Cm(EINVAL);
  const int error = edge().faults.Fire("rdma_ack_cm_event");
  const Locked locked;
  fakenic::Acknowledge(From<FakeCmEvent>(event));
  return Cm(error);
}

}  // extern "C"
