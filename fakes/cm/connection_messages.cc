// The messages of a connection: request, reply, ready to use, rejection, disconnection and its
// reply. They arrive at once when both ids are here.
#include <cerrno>

#include "cm/cm_timing.h"
#include "cm/connection_manager.h"

namespace fakenic {
namespace {

using Kind = CmMessage::Kind;

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

// Whether a rejection ends what the id is about.
bool Connecting(CmState state) {
  return state >= CmState::kRequestSent && state <= CmState::kReplyReceived;
}

}  // namespace

void ConnectionManager::Send(CmMessage message) {
  if (message.to.process == 0) {
    Handle(message);
  } else if (network_ != nullptr) {
    network_->Send(message);
  }
}

void ConnectionManager::SendFrom(const CmId& id, CmMessage message) {
  message.from = {.serial = id.serial};
  message.to = id.peer;
  if (id.peer.known() || id.peer.process != 0 || id.state == CmState::kRequestSent) {
    Send(std::move(message));
  }
}

// To whoever listens there now; once it has been read by somebody, to them.
void ConnectionManager::SendRequest(CmId& active) {
  if (!hosts.To(active.dst).answers) return;
  bool elsewhere = false;
  const bool sent_before =
      active.peer.process != 0 || passive_by_active_.contains(active.sent.from);
  const bool here = hosts.is_local(active.dst) &&
                    ports_.FindListener(active.port_space, active.dst, &elsewhere) != nullptr;
  if (sent_before || here) {
    active.sent.to = active.peer;
    Send(active.sent);
    return;
  }
  bool elsewhere_there = false;
  const uint64_t process =
      network_ == nullptr ? 0
                          : network_->FindListener(active.port_space, active.dst, &elsewhere_there);
  if (process == 0) {
    const bool other_address = elsewhere || elsewhere_there;
    HandleReject(active,
                 other_address ? reject_reason::kConsumerDefined : reject_reason::kInvalidServiceId,
                 {});
    return;
  }
  active.peer = {.process = process};
  active.sent.to = active.peer;
  Send(active.sent);
}

CmMessage ConnectionManager::Reply(const CmId& passive, ConnParam param) const {
  return {.kind = Kind::kReply,
          .param = std::move(param),
          .psn = passive.psn,
          .ece = passive.local_ece};
}

void ConnectionManager::SendReject(CmId& id, int reason, const std::vector<uint8_t>& private_data) {
  StopTimer(id);
  SendFrom(id, {.kind = Kind::kReject, .param = {.private_data = private_data}, .reason = reason});
  id.state = CmState::kDisconnected;
}

// Heard by a peer that is connected; sent again to one that is not so far yet.
void ConnectionManager::SendDisconnect(CmId& id) {
  id.state = CmState::kDisconnectSent;
  StartTimer(id, kCmResponseTimeoutNs);
  SendFrom(id, {.kind = Kind::kDisconnect});
}

void ConnectionManager::AnswerDisconnect(CmId& id) {
  EnterTimewait(id);
  SendFrom(id, {.kind = Kind::kDisconnectReply});
}

// An active end may not know the passive one's serial yet, and is known by its own.
CmId* ConnectionManager::FindAddressee(const CmMessage& message) const {
  if (!message.to.known()) {
    const auto passive = passive_by_active_.find(message.from);
    return passive == passive_by_active_.end() ? nullptr : passive->second;
  }
  const auto found = ids_.find(message.to.serial);
  if (found == ids_.end()) return nullptr;
  CmId& id = *found->second;
  const bool reply_to_active = id.state == CmState::kRequestSent && !id.peer.known() &&
                               id.peer.process == message.from.process;
  return reply_to_active || id.peer == message.from ? &id : nullptr;
}

void ConnectionManager::Handle(const CmMessage& message) {
  if (message.kind == Kind::kRequest) return HandleRequest(message);
  CmId* id = FindAddressee(message);
  if (id == nullptr) return;
  switch (message.kind) {
    case Kind::kReply:
      return HandleReply(*id, message);
    case Kind::kReadyToUse:
      NotifyCommEstablished(*id);
      return;
    case Kind::kReject:
      return HandleReject(*id, message.reason, message.param.private_data);
    case Kind::kDisconnect:
      return HandleDisconnect(*id);
    case Kind::kDisconnectReply:
      return HandleDisconnectReply(*id);
    case Kind::kRequest:
      return;
  }
}

void ConnectionManager::HandleRequest(const CmMessage& request) {
  const auto known = passive_by_active_.find(request.from);
  if (known != passive_by_active_.end() && Connected(known->second->state)) {  // sent again
    if (known->second->state == CmState::kReplySent) SendFrom(*known->second, known->second->sent);
    return;
  }
  if (RefuseStale(request)) return;
  bool elsewhere = false;
  CmId* listener = ports_.FindListener(request.port_space, request.dst, &elsewhere);
  if (listener == nullptr) {
    Send(
        {.kind = Kind::kReject,
         .to = request.from,
         .reason = elsewhere ? reject_reason::kConsumerDefined : reject_reason::kInvalidServiceId});
  } else if (listener->unread_requests < listener->backlog) {
    MakePassive(request, *listener);
  }
}

// A queue pair that is connected already cannot be the end of a second connection; asking for one
// shows that the first is dead.
bool ConnectionManager::RefuseStale(const CmMessage& request) {
  if (request.param.qp_num == 0) return false;
  const auto known = passive_by_requester_.find(request.param.qp_num);
  if (known == passive_by_requester_.end() || !Connected(known->second->state)) return false;
  if (known->second->state == CmState::kEstablished) SendDisconnect(*known->second);
  Send({.kind = Kind::kReject, .to = request.from, .reason = reject_reason::kStaleConnection});
  return true;
}

void ConnectionManager::MakePassive(const CmMessage& request, CmId& listener) {
  CmId& child = *CreateId(listener.channel, listener.port_space);
  child.state = CmState::kRequestReceived;
  child.takes_events = false;
  child.listener = &listener;
  child.has_device = true;
  child.src = request.dst;
  child.dst = request.src;
  child.peer = request.from;
  child.responder_resources = request.param.initiator_depth;
  child.initiator_depth = request.param.responder_resources;
  child.retry_count = request.param.retry_count;
  child.rnr_retry_count = request.param.rnr_retry_count;
  child.peer_qp_num = request.param.qp_num;
  child.peer_psn = request.psn;
  child.remote_ece = request.ece;
  passive_by_requester_[child.peer_qp_num] = &child;
  passive_by_active_[child.peer] = &child;
  ++listener.unread_requests;
  child.channel->Push({.type = CmEventType::kConnectRequest,
                       .id = &child,
                       .listen_id = &listener,
                       .param = Mirrored(request.param, private_data_size::kRequest)});
}

void ConnectionManager::HandleReply(CmId& active, const CmMessage& reply) {
  if (active.state == CmState::kEstablished) {  // sent again: the confirmation was lost
    SendFrom(active, {.kind = Kind::kReadyToUse});
    return;
  }
  if (active.state != CmState::kRequestSent) return;
  StopTimer(active);
  active.state = CmState::kReplyReceived;
  active.peer = reply.from;
  active.responder_resources = reply.param.initiator_depth;
  active.initiator_depth = reply.param.responder_resources;
  active.rnr_retry_count = reply.param.rnr_retry_count;
  active.peer_qp_num = reply.param.qp_num;
  active.peer_psn = reply.psn;
  active.remote_ece = reply.ece;
  Raise(active, CmEventType::kConnectResponse, 0, Mirrored(reply.param, private_data_size::kReply));
}

void ConnectionManager::HandleReject(CmId& id, int reason,
                                     const std::vector<uint8_t>& private_data) {
  if (!Connecting(id.state)) return;
  StopTimer(id);
  id.state = CmState::kDisconnected;
  Raise(id, CmEventType::kRejected, reason,
        {.private_data = Padded(private_data, private_data_size::kReject)});
}

void ConnectionManager::HandleDisconnect(CmId& id) {
  switch (id.state) {
    case CmState::kEstablished:
      id.state = CmState::kDisconnectReceived;
      Raise(id, CmEventType::kDisconnected);
      break;
    case CmState::kDisconnectSent:  // both at once
      AnswerDisconnect(id);
      Raise(id, CmEventType::kDisconnected);
      break;
    case CmState::kTimewait:  // sent again: the reply was lost
      SendFrom(id, {.kind = Kind::kDisconnectReply});
      break;
    default:
      break;
  }
}

void ConnectionManager::HandleDisconnectReply(CmId& id) {
  if (id.state != CmState::kDisconnectSent) return;
  EnterTimewait(id);
  Raise(id, CmEventType::kDisconnected);
}

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

// What its kernel tells in its name: of each id what EndConnection() would.
void ConnectionManager::ProcessEnded(uint64_t process) {
  std::vector<CmId*> bereft;
  for (const auto& [serial, id] : ids_) {
    if (id->peer.process == process) bereft.push_back(id.get());
  }
  for (CmId* id : bereft) {
    const auto known = passive_by_requester_.find(id->peer_qp_num);
    if (known != passive_by_requester_.end() && known->second == id) {
      passive_by_requester_.erase(known);  // the number may come back
    }
    switch (id->state) {
      case CmState::kRequestReceived:
        HandleReject(*id, reject_reason::kTimeout, {});
        break;
      case CmState::kRequestSent:
      case CmState::kReplySent:
      case CmState::kReplyReceived:
        HandleReject(*id, reject_reason::kConsumerDefined, {});
        break;
      case CmState::kEstablished:
        HandleDisconnect(*id);
        break;
      case CmState::kDisconnectSent:
        HandleDisconnectReply(*id);
        break;
      default:
        break;
    }
  }
}

}  // namespace fakenic
