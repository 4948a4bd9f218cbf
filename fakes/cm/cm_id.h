// An RDMA CM identifier: one end of a connection, or a listener.
#pragma once

#include <cstdint>

#include "cm/address.h"
#include "cm/cm_event.h"

namespace fakenic {

enum class CmState : uint8_t {
  kIdle,
  kBound,
  kListening,
  kAddrResolved,
  kRouteResolved,
  kRequestSent,      // active
  kRequestReceived,  // passive: the program has yet to accept or reject
  kReplySent,        // passive: accepted, the active end has yet to see it
  kReplyReceived,    // active: the program has yet to fetch the event
  kEstablished,
  kDisconnectSent,
  kDisconnectReceived,
  kDisconnected,  // also: rejected
};

struct CmId {
  CmState state = CmState::kIdle;
  EventChannel* channel = nullptr;
  int port_space = 0;
  Address src;
  Address dst;
  bool has_device = false;
  bool reported = true;  // false for a requested id whose CONNECT_REQUEST nobody has read
  bool reuse_address = false;
  uint32_t qp_num = 0;  // 0: none attached
  CmId* peer = nullptr;
  CmId* listener = nullptr;  // passive, until the request was read
  int backlog = 0;
  int unread_requests = 0;
  ConnParam request;     // as the active end sent it
  void* user = nullptr;  // whoever wraps the id
};

}  // namespace fakenic
