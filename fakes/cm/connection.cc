// The messages of a connection: request, reply, rejection, disconnection.
#include <algorithm>
#include <cerrno>

#include "cm/connection_manager.h"

namespace fakenic {
namespace {

// The response time-out of a message and how often it is sent, as the kernel has them.
constexpr uint64_t kResponseTimeoutNs = 4'096'000'000;
constexpr int kRetries = 15;

constexpr uint8_t kDeviceMaximum = 255;  // a depth that means "as much as the device can"

std::vector<uint8_t> Padded(std::vector<uint8_t> data, size_t size) {
  data.resize(size);
  return data;
}

// The parameters as the other end reads them: what one may read, the other must answer.
ConnParam Mirrored(const ConnParam& param, size_t data_size) {
  ConnParam mirrored = param;
  mirrored.private_data = Padded(param.private_data, data_size);
  std::swap(mirrored.responder_resources, mirrored.initiator_depth);
  return mirrored;
}

// Whether the end still knows its peer's queue pair.
bool Connected(CmState state) {
  return state >= CmState::kRequestReceived && state <= CmState::kDisconnectReceived;
}

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
  id.request = std::move(request);
  id.state = CmState::kRequestSent;
  id.tries_left = kRetries;
  StartTimer(id, kResponseTimeoutNs);
  SendRequest(id);
  return 0;
}

void ConnectionManager::SendRequest(CmId& active) {
  if (!hosts.To(active.dst).answers || RefuseStale(active)) return;
  bool elsewhere = false;
  CmId* listener = ports_.FindListener(active.port_space, active.dst, &elsewhere);
  if (listener == nullptr) {
    Rejected(active, elsewhere ? reject_reason::kConsumerDefined : reject_reason::kInvalidServiceId,
             {});
  } else if (listener->unread_requests < listener->backlog) {
    DeliverRequest(active, *listener);
  }
}

// A queue pair that is connected already cannot be the end of a second connection; asking for one
// shows that the first is dead.
bool ConnectionManager::RefuseStale(CmId& active) {
  if (active.request.qp_num == 0) return false;
  const auto known = passive_by_requester_.find(active.request.qp_num);
  if (known == passive_by_requester_.end() || !Connected(known->second->state)) return false;
  if (known->second->state == CmState::kEstablished) SendDisconnect(*known->second);
  Rejected(active, reject_reason::kStaleConnection, {});
  return true;
}

void ConnectionManager::DeliverRequest(CmId& active, CmId& listener) {
  CmId& child = *CreateId(listener.channel, listener.port_space);
  child.state = CmState::kRequestReceived;
  child.takes_events = false;
  child.listener = &listener;
  child.has_device = true;
  child.src = active.dst;
  child.dst = active.src;
  child.peer = &active;
  child.responder_resources = active.request.initiator_depth;
  child.initiator_depth = active.request.responder_resources;
  child.retry_count = active.request.retry_count;
  child.rnr_retry_count = active.request.rnr_retry_count;
  child.peer_qp_num = active.request.qp_num;
  child.peer_psn = active.psn;
  child.remote_ece = active.local_ece;
  passive_by_requester_[child.peer_qp_num] = &child;
  active.peer = &child;
  ++listener.unread_requests;
  child.channel->Push({.type = CmEventType::kConnectRequest,
                       .id = &child,
                       .listen_id = &listener,
                       .param = Mirrored(active.request, private_data_size::kRequest)});
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
  SendReply(id, std::move(reply));
  return 0;
}

// A reply whose addressee has given up is sent again and again, and confirmed by nobody.
void ConnectionManager::SendReply(CmId& passive, ConnParam param) {
  passive.state = CmState::kReplySent;
  StartTimer(passive, kResponseTimeoutNs * (kRetries + 1));
  CmId* active = passive.peer;
  if (active == nullptr) return;
  StopTimer(*active);
  active->state = CmState::kReplyReceived;
  active->responder_resources = param.initiator_depth;
  active->initiator_depth = param.responder_resources;
  active->rnr_retry_count = param.rnr_retry_count;
  active->peer_qp_num = param.qp_num;
  active->peer_psn = passive.psn;
  active->remote_ece = passive.local_ece;
  Raise(*active, CmEventType::kConnectResponse, 0, Mirrored(param, private_data_size::kReply));
}

int ConnectionManager::Establish(CmId& id) {
  if (id.state != CmState::kReplyReceived) return EINVAL;
  id.state = CmState::kEstablished;
  if (id.peer != nullptr) NotifyCommEstablished(*id.peer);
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

void ConnectionManager::SendReject(CmId& id, int reason, const std::vector<uint8_t>& private_data) {
  CmId* peer = id.peer;
  StopTimer(id);
  id.state = CmState::kDisconnected;
  id.peer = nullptr;
  if (peer != nullptr) Rejected(*peer, reason, private_data);
}

void ConnectionManager::Rejected(CmId& id, int reason, const std::vector<uint8_t>& private_data) {
  StopTimer(id);
  id.state = CmState::kDisconnected;
  id.peer = nullptr;
  Raise(id, CmEventType::kRejected, reason,
        {.private_data = Padded(private_data, private_data_size::kReject)});
}

int ConnectionManager::Disconnect(CmId& id) {
  FailQp(id);
  if (id.state < CmState::kRequestSent || id.state == CmState::kDeviceRemoved) return EINVAL;
  if (id.state == CmState::kEstablished) {
    id.tries_left = kRetries;
    SendDisconnect(id);
  } else if (id.state == CmState::kDisconnectReceived) {
    AnswerDisconnect(id);
  }
  return 0;  // before that there is nothing to disconnect, after that nothing left to do
}

// Heard by a peer that is connected; sent again to one that is not so far yet.
void ConnectionManager::SendDisconnect(CmId& id) {
  id.state = CmState::kDisconnectSent;
  StartTimer(id, kResponseTimeoutNs);
  if (id.peer == nullptr || id.peer->state != CmState::kEstablished) return;
  id.peer->state = CmState::kDisconnectReceived;
  Raise(*id.peer, CmEventType::kDisconnected);
}

void ConnectionManager::AnswerDisconnect(CmId& id) {
  EnterTimewait(id);
  if (id.peer == nullptr || id.peer->state != CmState::kDisconnectSent) return;
  EnterTimewait(*id.peer);
  Raise(*id.peer, CmEventType::kDisconnected);
}

// What the other end hears when this one goes without a word.
void ConnectionManager::EndConnection(CmId& id) {
  switch (id.state) {
    case CmState::kRequestSent:
      SendReject(id, reject_reason::kTimeout, {});
      break;
    case CmState::kRequestReceived:
    case CmState::kReplySent:
    case CmState::kReplyReceived:
      SendReject(id, reject_reason::kConsumerDefined, {});
      break;
    case CmState::kEstablished:
      SendDisconnect(id);
      break;
    case CmState::kDisconnectReceived:
      AnswerDisconnect(id);
      break;
    default:
      break;
  }
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

std::optional<uint64_t> ConnectionManager::NextDeadline() const {
  if (timers_.empty()) return std::nullopt;
  return timers_.begin()->first.first;
}

void ConnectionManager::FireTimers() {
  while (!timers_.empty() && timers_.begin()->first.first <= clock_.NowNs()) {
    CmId& id = *timers_.begin()->second;
    StopTimer(id);
    TimeOut(id);
  }
}

void ConnectionManager::TimeOut(CmId& id) {
  switch (id.state) {
    case CmState::kAddrQuery:
      id.state = CmState::kBound;
      Raise(id, CmEventType::kAddrError, -ETIMEDOUT);
      break;
    case CmState::kRequestSent:
      if (id.tries_left-- > 0) {
        StartTimer(id, kResponseTimeoutNs);
        if (id.peer == nullptr) SendRequest(id);
        break;
      }
      [[fallthrough]];
    case CmState::kReplySent:
      id.state = CmState::kDisconnected;
      if (id.peer != nullptr) id.peer->peer = nullptr;
      id.peer = nullptr;
      Raise(id, CmEventType::kUnreachable, -ETIMEDOUT);
      break;
    case CmState::kDisconnectSent:
      if (id.tries_left-- > 0) {
        SendDisconnect(id);
        break;
      }
      EnterTimewait(id);
      Raise(id, CmEventType::kDisconnected, -ETIMEDOUT);
      break;
    case CmState::kTimewait:
      id.state = CmState::kDisconnected;
      Raise(id, CmEventType::kTimewaitExit);
      break;
    default:
      break;
  }
}

void ConnectionManager::EnterTimewait(CmId& id) {
  constexpr uint64_t kTimewaitNs = 512'000'000;
  id.state = CmState::kTimewait;
  StartTimer(id, kTimewaitNs);
}

void ConnectionManager::StartTimer(CmId& id, uint64_t ns) {
  StopTimer(id);
  id.deadline = clock_.NowNs() + ns;
  timers_.emplace(std::pair(id.deadline, id.serial), &id);
}

void ConnectionManager::StopTimer(CmId& id) {
  if (id.deadline == 0) return;
  timers_.erase({id.deadline, id.serial});
  id.deadline = 0;
}

}  // namespace fakenic
