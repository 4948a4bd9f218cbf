#include "cm/connection_manager.h"

#include <algorithm>
#include <cerrno>

namespace fakenic {
namespace {

// What fits into each message, for the IP port spaces; the receiver sees all of it, padded with
// zeros.
constexpr size_t kRequestData = 56;
constexpr size_t kReplyData = 196;
constexpr size_t kRejectData = 148;
constexpr int kMaxBacklog = 1024;
constexpr uint8_t kDeviceMaximum = 255;  // a depth that means "as much as the device can"
constexpr uint8_t kAckTimeout = 17;      // 537 ms
constexpr uint8_t kMtu4096 = 5;

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

bool TakeDepth(uint8_t& depth, uint8_t most) {
  if (depth == kDeviceMaximum) depth = most;
  return depth <= most;
}

}  // namespace

ConnectionManager::~ConnectionManager() {
  for (CmId* id : ids_) delete id;
}

CmId* ConnectionManager::CreateId(EventChannel* channel, int port_space) {
  auto id = std::make_unique<CmId>();
  id->channel = channel;
  id->port_space = port_space;
  ids_.insert(id.get());
  return id.release();
}

void ConnectionManager::DestroyId(CmId& id) {
  const bool listened = id.state == CmState::kListening;
  EndConnection(id);
  if (listened) {
    for (CmId* child : std::vector<CmId*>(ids_.begin(), ids_.end())) {
      if (child->listener == &id) DestroyId(*child);
    }
  }
  if (id.peer != nullptr) id.peer->peer = nullptr;
  if (id.listener != nullptr) --id.listener->unread_requests;
  DropUnread(id);
  ports_.Release(id);
  ids_.erase(&id);
  delete &id;
}

void ConnectionManager::DropUnread(CmId& id) {
  if (id.channel == nullptr) return;
  id.channel->RemoveIf(
      [&](const CmEvent& event) { return event.id == &id || event.owner() == &id; });
}

int ConnectionManager::BindAddr(CmId& id, const Address& address) {
  if (id.state != CmState::kIdle || !address.specified()) return EINVAL;
  if (!address.wildcard() && !owns_address(address)) return ENODEV;
  id.src = address;
  if (const int error = ports_.Bind(id)) {
    id.src = {};
    return error;
  }
  id.has_device = !address.wildcard();
  id.state = CmState::kBound;
  return 0;
}

int ConnectionManager::Listen(CmId& id, int backlog) {
  if (id.state == CmState::kIdle) {
    if (const int error = BindAddr(id, Address::Wildcard(AF_INET))) return error;
  }
  if (id.state != CmState::kBound) return EINVAL;
  id.backlog = backlog <= 0 || backlog > kMaxBacklog ? kMaxBacklog : backlog;
  id.state = CmState::kListening;
  return 0;
}

int ConnectionManager::ResolveAddr(CmId& id, const Address& src, const Address& dst) {
  if (id.state != CmState::kIdle && id.state != CmState::kBound) return EINVAL;
  if (!dst.specified() || (src.specified() && src.family() != dst.family())) return EINVAL;
  Address target = dst;
  if (target.wildcard()) {
    target = Address::Loopback(dst.family());
    target.set_port(dst.port());
  }
  if (id.state == CmState::kIdle) {
    Address local = src.specified() && !src.wildcard() ? src : target;
    if (!src.specified()) local.set_port(0);
    if (!owns_address(target) || !owns_address(local)) {
      Notify(id, CmEventType::kAddrError, -ENODEV);
      return 0;
    }
    if (src.specified()) local.set_port(src.port());
    if (const int error = BindAddr(id, local)) return error;
  } else if (!owns_address(target)) {
    Notify(id, CmEventType::kAddrError, -ENODEV);
    return 0;
  }
  if (id.src.wildcard()) {  // the route decides
    Address local = target;
    local.set_port(id.src.port());
    id.src = local;
  }
  id.dst = target;
  id.has_device = true;
  id.state = CmState::kAddrResolved;
  Notify(id, CmEventType::kAddrResolved);
  return 0;
}

int ConnectionManager::ResolveRoute(CmId& id, int timeout_ms) {
  if (id.state != CmState::kAddrResolved || timeout_ms <= 0) return EINVAL;
  id.state = CmState::kRouteResolved;
  Notify(id, CmEventType::kRouteResolved);
  return 0;
}

int ConnectionManager::AttachQp(CmId& id, Qp& qp) {
  QpAttr attr;
  attr.state = QpState::kInit;
  attr.port_num = 1;
  const uint32_t mask =
      qp_mask::kState | qp_mask::kPkeyIndex | qp_mask::kPort | qp_mask::kAccessFlags;
  if (const int error = fabric_.ModifyQp(qp, attr, mask)) return error;
  id.qp_num = qp.num;
  return 0;
}

int ConnectionManager::MakeReady(CmId& id, uint32_t peer_qp_num, const ConnParam& local) {
  Qp& qp = *QpOf(id);
  QpAttr attr;
  attr.state = QpState::kInit;
  attr.access_flags = access_flag::kRemoteWrite;
  if (local.responder_resources > 0) {
    attr.access_flags |= access_flag::kRemoteRead | access_flag::kRemoteAtomic;
  }
  attr.path_mtu = kMtu4096;
  attr.dest_qp_num = peer_qp_num;
  attr.max_dest_rd_atomic = local.responder_resources;
  attr.max_rd_atomic = local.initiator_depth;
  attr.timeout = kAckTimeout;
  attr.retry_cnt = local.retry_count;
  attr.rnr_retry = local.rnr_retry_count;
  using namespace qp_mask;
  if (const int error = fabric_.ModifyQp(qp, attr, kState | kAccessFlags)) return error;
  attr.state = QpState::kRtr;
  const uint32_t rtr = kAv | kPathMtu | kDestQpn | kRqPsn | kMaxDestRdAtomic | kMinRnrTimer;
  if (const int error = fabric_.ModifyQp(qp, attr, kState | rtr)) return error;
  attr.state = QpState::kRts;
  const uint32_t rts = kTimeout | kRetryCnt | kRnrRetry | kSqPsn | kMaxQpRdAtomic;
  return fabric_.ModifyQp(qp, attr, kState | rts);
}

int ConnectionManager::Connect(CmId& id, const ConnParam& param) {
  if (id.state != CmState::kRouteResolved) return EINVAL;
  if (param.private_data.size() > kRequestData) return EINVAL;
  const uint8_t most = fabric_.device().limits().max_rd_atomic;
  id.request = param;
  if (!TakeDepth(id.request.responder_resources, most)) return EINVAL;
  if (!TakeDepth(id.request.initiator_depth, most)) return EINVAL;
  if (QpOf(id) != nullptr) id.request.qp_num = id.qp_num;
  id.state = CmState::kRequestSent;

  bool elsewhere = false;
  CmId* listener = ports_.FindListener(id.port_space, id.dst, &elsewhere);
  if (listener == nullptr) {
    id.state = CmState::kDisconnected;
    Notify(id, CmEventType::kRejected,
           elsewhere ? reject_reason::kConsumerDefined : reject_reason::kInvalidServiceId,
           {.private_data = Padded({}, kRejectData)});
    return 0;
  }
  if (listener->unread_requests >= listener->backlog) return 0;  // dropped; nobody will answer
  CmId& child = *CreateId(listener->channel, listener->port_space);
  child.state = CmState::kRequestReceived;
  child.reported = false;
  child.listener = listener;
  child.has_device = true;
  child.src = id.dst;
  child.dst = id.src;
  child.peer = &id;
  id.peer = &child;
  ++listener->unread_requests;
  child.channel->Push({.type = CmEventType::kConnectRequest,
                       .id = &child,
                       .listen_id = listener,
                       .param = Mirrored(id.request, kRequestData)});
  return 0;
}

int ConnectionManager::Accept(CmId& id, const ConnParam& param) {
  if (id.state != CmState::kRequestReceived || id.peer == nullptr) return EINVAL;
  if (param.private_data.size() > kReplyData) return EINVAL;
  CmId& active = *id.peer;
  ConnParam reply = param;
  const uint8_t most = fabric_.device().limits().max_rd_atomic;
  if (param.responder_resources == kDeviceMaximum) {
    reply.responder_resources = std::min(most, active.request.initiator_depth);
  }
  if (param.initiator_depth == kDeviceMaximum) {
    reply.initiator_depth = std::min(most, active.request.responder_resources);
  }
  if (reply.responder_resources > most || reply.initiator_depth > most) return EINVAL;
  reply.retry_count = active.request.retry_count;
  if (QpOf(id) != nullptr) {
    reply.qp_num = id.qp_num;
    if (const int error = MakeReady(id, active.request.qp_num, reply)) return error;
  }
  id.state = CmState::kReplySent;
  active.state = CmState::kReplyReceived;
  Notify(active, CmEventType::kConnectResponse, 0, Mirrored(reply, kReplyData));
  return 0;
}

int ConnectionManager::Establish(CmId& id) {
  if (id.state != CmState::kReplyReceived || id.peer == nullptr) return EINVAL;
  id.state = CmState::kEstablished;
  if (id.peer->state == CmState::kReplySent) {
    id.peer->state = CmState::kEstablished;
    Notify(*id.peer, CmEventType::kEstablished);
  }
  return 0;
}

int ConnectionManager::Reject(CmId& id, const std::vector<uint8_t>& private_data) {
  if (id.state != CmState::kRequestReceived || private_data.size() > kRejectData) return EINVAL;
  RejectPeer(id, reject_reason::kConsumerDefined, private_data);
  return 0;
}

void ConnectionManager::RejectPeer(CmId& id, int reason, const std::vector<uint8_t>& private_data) {
  CmId* peer = id.peer;
  id.state = CmState::kDisconnected;
  id.peer = nullptr;
  if (peer == nullptr) return;
  peer->state = CmState::kDisconnected;
  peer->peer = nullptr;
  Notify(*peer, CmEventType::kRejected, reason,
         {.private_data = Padded(private_data, kRejectData)});
}

int ConnectionManager::Disconnect(CmId& id) {
  switch (id.state) {
    case CmState::kReplySent:
    case CmState::kReplyReceived:
    case CmState::kEstablished:
    case CmState::kDisconnectReceived:
      FailQp(id);
      EndConnection(id);
      return 0;
    case CmState::kDisconnectSent:
    case CmState::kDisconnected:
      FailQp(id);
      return 0;
    default:
      return EINVAL;
  }
}

// Tells the peer, in the way that fits the state.
void ConnectionManager::EndConnection(CmId& id) {
  CmId* peer = id.peer;
  switch (id.state) {
    case CmState::kRequestReceived:
      RejectPeer(id, reject_reason::kConsumerDefined, {});
      break;
    case CmState::kRequestSent:
      RejectPeer(id, reject_reason::kTimeout, {});
      break;
    case CmState::kReplyReceived:
      RejectPeer(id, reject_reason::kConsumerDefined, {});
      break;
    case CmState::kReplySent:
    case CmState::kEstablished:
      id.state = CmState::kDisconnectSent;
      if (peer == nullptr) break;
      peer->state = CmState::kDisconnectReceived;
      Notify(*peer, CmEventType::kDisconnected);
      break;
    case CmState::kDisconnectReceived:
      id.state = CmState::kDisconnected;
      if (peer == nullptr) break;
      peer->state = CmState::kDisconnected;
      Notify(*peer, CmEventType::kDisconnected);
      break;
    default:
      break;
  }
}

void ConnectionManager::FailQp(CmId& id) {
  Qp* qp = QpOf(id);
  if (qp == nullptr || qp->state() == QpState::kErr) return;
  QpAttr attr;
  attr.state = QpState::kErr;
  fabric_.ModifyQp(*qp, attr, qp_mask::kState);
}

void ConnectionManager::Migrate(CmId& id, EventChannel& channel) {
  if (id.channel != nullptr) {
    auto moved = id.channel->RemoveIf([&](const CmEvent& event) { return event.owner() == &id; });
    for (CmEvent& event : moved) channel.Push(std::move(event));
  }
  id.channel = &channel;
}

void ConnectionManager::Fetched(CmEvent& event) {
  CmId& id = *event.id;
  switch (event.type) {
    case CmEventType::kConnectRequest:
      --id.listener->unread_requests;
      id.listener = nullptr;
      id.reported = true;
      break;
    case CmEventType::kConnectResponse: {
      const bool awaited =
          id.state == CmState::kReplyReceived || id.state == CmState::kDisconnectReceived;
      if (QpOf(id) == nullptr || !awaited) break;
      ConnParam local = id.request;
      local.responder_resources = event.param.responder_resources;
      local.initiator_depth = event.param.initiator_depth;
      if (const int error = MakeReady(id, event.param.qp_num, local)) {
        RejectPeer(id, reject_reason::kConsumerDefined, {});
        event.type = CmEventType::kConnectError;
        event.status = -error;
        break;
      }
      Establish(id);
      event.type = CmEventType::kEstablished;
      break;
    }
    case CmEventType::kRejected:
      FailQp(id);
      break;
    default:
      break;
  }
}

void ConnectionManager::Notify(CmId& id, CmEventType type, int status, ConnParam param) {
  if (!id.reported) return;
  id.channel->Push({.type = type, .id = &id, .status = status, .param = std::move(param)});
}

}  // namespace fakenic
