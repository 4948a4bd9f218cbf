// How a connection moves its queue pair.
#include <cerrno>

#include "cm/connection_manager.h"

namespace fakenic {
namespace {

constexpr uint8_t kAckTimeout = 17;  // 537 ms
constexpr uint8_t kMtu4096 = 5;

bool Between(CmState state, CmState first, CmState last) { return state >= first && state <= last; }

}  // namespace

int ConnectionManager::InitQpAttr(const CmId& id, QpState to, QpAttr& attr, uint32_t& mask) const {
  using namespace qp_mask;
  if (!id.has_device || id.state > CmState::kEstablished) return EINVAL;
  const bool peer_known = Between(id.state, CmState::kRequestReceived, CmState::kEstablished);
  attr.state = to;
  switch (to) {
    case QpState::kInit:
      mask = kState | kPkeyIndex | kPort | kAccessFlags;
      attr.port_num = 1;
      attr.access_flags = 0;
      if (id.state < CmState::kRequestSent) return 0;
      attr.access_flags = access_flag::kRemoteWrite;
      if (id.responder_resources > 0) {
        attr.access_flags |= access_flag::kRemoteRead | access_flag::kRemoteAtomic;
        if (fabric_.device().offers_flush()) attr.access_flags |= access_flag::kFlush;
      }
      return 0;
    case QpState::kRtr:
      if (!peer_known) return EINVAL;
      mask = kState | kAv | kPathMtu | kDestQpn | kRqPsn | kMaxDestRdAtomic | kMinRnrTimer;
      attr.path_mtu = kMtu4096;
      attr.dest_qp_num = id.peer_qp_num;
      attr.rq_psn = id.peer_psn;
      attr.max_dest_rd_atomic = id.responder_resources;
      attr.min_rnr_timer = 0;
      return 0;
    case QpState::kRts:
      if (!peer_known) return EINVAL;
      mask = kState | kTimeout | kRetryCnt | kRnrRetry | kSqPsn | kMaxQpRdAtomic;
      attr.timeout = id.ack_timeout.value_or(kAckTimeout);
      attr.retry_cnt = id.retry_count;
      attr.rnr_retry = id.rnr_retry_count;
      attr.sq_psn = id.psn;
      attr.max_rd_atomic = id.initiator_depth;
      return 0;
    default:
      return EINVAL;
  }
}

int ConnectionManager::AttachQp(CmId& id, Qp& qp) {
  QpAttr attr;
  uint32_t mask = 0;
  if (const int error = InitQpAttr(id, QpState::kInit, attr, mask)) return error;
  if (const int error = fabric_.ModifyQp(qp, attr, mask)) return error;
  id.qp_num = qp.num;
  return 0;
}

int ConnectionManager::MoveQp(CmId& id, QpState to) {
  QpAttr attr;
  uint32_t mask = 0;
  if (const int error = InitQpAttr(id, to, attr, mask)) return error;
  return fabric_.ModifyQp(*QpOf(id), attr, mask);
}

// What the peer may do is decided by what it asked for, how many reads it may have under way by
// what this end grants.
int ConnectionManager::MakeReady(CmId& id, uint8_t responder_resources, uint8_t initiator_depth) {
  if (const int error = MoveQp(id, QpState::kInit)) return error;
  id.responder_resources = responder_resources;
  id.initiator_depth = initiator_depth;
  if (const int error = MoveQp(id, QpState::kRtr)) return error;
  return MoveQp(id, QpState::kRts);
}

void ConnectionManager::FailQp(CmId& id) {
  Qp* qp = QpOf(id);
  if (qp == nullptr || qp->state() == QpState::kErr) return;
  QpAttr attr;
  attr.state = QpState::kErr;
  fabric_.ModifyQp(*qp, attr, qp_mask::kState);
}

}  // namespace fakenic
