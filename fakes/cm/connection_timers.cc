// The timers of the connection manager.
#include <cerrno>

#include "cm/cm_timing.h"
#include "cm/connection_manager.h"

namespace fakenic {

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
        StartTimer(id, kCmResponseTimeoutNs);
        SendRequest(id);
        break;
      }
      GiveUp(id);
      break;
    case CmState::kReplySent:
      if (id.tries_left-- > 0) {
        StartTimer(id, kCmResponseTimeoutNs);
        SendFrom(id, id.sent);
        break;
      }
      GiveUp(id);
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

// Its peer is not told: it does not answer.
void ConnectionManager::GiveUp(CmId& id) {
  id.state = CmState::kDisconnected;
  Raise(id, CmEventType::kUnreachable, -ETIMEDOUT);
}

void ConnectionManager::EnterTimewait(CmId& id) {
  id.state = CmState::kTimewait;
  StartTimer(id, kCmTimewaitNs);
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
