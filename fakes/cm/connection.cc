// Connecting, accepting, rejecting and disconnecting.
#include <algorithm>
#include <cerrno>

#include "cm/cm_timing.h"
#include "cm/connection_manager.h"

namespace fakenic {
namespace {

constexpr uint8_t kDeviceMaximum = 255;  // a depth that means "as much as the device can"

}  // namespace

bool ConnectionManager::TakeDepth(uint8_t& depth) const {
  const uint8_t most = fabric_.device().limits().max_rd_atomic;
  if (depth == kDeviceMaximum) depth = most;
  return depth <= most;
}

int ConnectionManager::Connect(CmId& id, const ConnParam& param) {
  if (id.state != CmState::kRouteResolved) return EINVAL;
  if (param.private_data.size() > private_data_size::kRequest) return EINVAL;
  ConnParam request = param;
  if (!TakeDepth(request.responder_resources) || !TakeDepth(request.initiator_depth)) {
    return EINVAL;
  }
  if (QpOf(id) != nullptr) request.qp_num = id.qp_num;
  id.responder_resources = request.responder_resources;
  id.initiator_depth = request.initiator_depth;
  id.retry_count = request.retry_count;
  id.sent = {.kind = CmMessage::Kind::kRequest,
             .from = {.serial = id.serial},
             .param = std::move(request),
             .psn = id.psn,
             .ece = id.local_ece,
             .port_space = id.port_space,
             .src = id.src,
             .dst = id.dst};
  id.state = CmState::kRequestSent;
  id.tries_left = kCmRetries;
  StartTimer(id, kCmResponseTimeoutNs);
  SendRequest(id);
  return 0;
}

int ConnectionManager::Accept(CmId& id, const ConnParam& param) {
  if (id.state != CmState::kRequestReceived) return EINVAL;
  if (param.private_data.size() > private_data_size::kReply) return EINVAL;
  const uint8_t most = fabric_.device().limits().max_rd_atomic;
  ConnParam reply = param;
  if (reply.responder_resources == kDeviceMaximum) {
    reply.responder_resources = std::min(most, id.responder_resources);
  }
  if (reply.initiator_depth == kDeviceMaximum) {
    reply.initiator_depth = std::min(most, id.initiator_depth);
  }
  if (reply.responder_resources > most || reply.initiator_depth > most) return EINVAL;
  if (QpOf(id) != nullptr) {
    reply.qp_num = id.qp_num;
    if (const int error = MakeReady(id, reply.responder_resources, reply.initiator_depth)) {
      return error;
    }
  }
  id.takes_events = true;
  id.responder_resources = reply.responder_resources;
  id.initiator_depth = reply.initiator_depth;
  id.sent = Reply(id, std::move(reply));
  id.state = CmState::kReplySent;
  id.tries_left = kCmRetries;
  StartTimer(id, kCmResponseTimeoutNs);
  SendFrom(id, id.sent);
  return 0;
}

int ConnectionManager::Establish(CmId& id) {
  if (id.state != CmState::kReplyReceived) return EINVAL;
  id.state = CmState::kEstablished;
  SendFrom(id, {.kind = CmMessage::Kind::kReadyToUse});
  return 0;
}

int ConnectionManager::NotifyCommEstablished(CmId& id) {
  if (id.state == CmState::kEstablished) return EISCONN;
  if (id.state != CmState::kReplySent) return EINVAL;
  StopTimer(id);
  id.state = CmState::kEstablished;
  Raise(id, CmEventType::kEstablished);
  return 0;
}

int ConnectionManager::Reject(CmId& id, int reason, const std::vector<uint8_t>& private_data) {
  if (id.state != CmState::kRequestReceived) return EINVAL;
  if (private_data.size() > private_data_size::kReject) return EINVAL;
  SendReject(id, reason, private_data);
  return 0;
}

int ConnectionManager::Disconnect(CmId& id) {
  FailQp(id);
  if (id.state < CmState::kRequestSent || id.state == CmState::kDeviceRemoved) return EINVAL;
  if (id.state == CmState::kEstablished) {
    id.tries_left = kCmRetries;
    SendDisconnect(id);
  } else if (id.state == CmState::kDisconnectReceived) {
    AnswerDisconnect(id);
  }
  return 0;  // before that there is nothing to disconnect, after that nothing left to do
}

bool ConnectionManager::Fetched(CmEvent& event) {
  CmId& id = *event.id;
  switch (event.type) {
    case CmEventType::kConnectRequest:
      --id.listener->unread_requests;
      id.channel = id.listener->channel;
      id.listener = nullptr;
      return true;
    case CmEventType::kConnectResponse: {
      if (QpOf(id) == nullptr) return true;
      int error = MakeReady(id, id.responder_resources, id.initiator_depth);
      if (error == 0) error = Establish(id);
      event.type = error == 0 ? CmEventType::kEstablished : CmEventType::kConnectError;
      event.status = -error;
      if (error == 0) return true;
      FailQp(id);
      if (id.state == CmState::kReplyReceived) {
        SendReject(id, reject_reason::kConsumerDefined, {});
      }
      id.failed_early = true;
      return true;
    }
    case CmEventType::kRejected:
      if (!id.failed_early) FailQp(id);
      return !id.failed_early;
    case CmEventType::kDisconnected:
      return !id.failed_early;
    default:
      return true;
  }
}

}  // namespace fakenic
