// An RDMA CM identifier: one end of a connection, or a listener.
#pragma once

#include <cstdint>
#include <optional>

#include "cm/address.h"
#include "cm/cm_event.h"
#include "cm/cm_message.h"

namespace fakenic {

enum class CmState : uint8_t {
  kIdle,
  kBound,
  kListening,
  kAddrQuery,  // asks the network for an address
  kAddrResolved,
  kRouteResolved,
  kRequestSent,         // active
  kRequestReceived,     // passive: the program has yet to accept or reject
  kReplySent,           // passive: accepted, the active end has yet to see it
  kReplyReceived,       // active: the program has yet to fetch the event
  kEstablished,         //
  kDisconnectSent,      // has yet to be answered
  kDisconnectReceived,  // has yet to answer
  kTimewait,            // disconnected; late packets may still arrive
  kDisconnected,        // also: rejected, given up
  kDeviceRemoved,
};

struct CmId {
  CmState state = CmState::kIdle;
  uint64_t serial = 0;              // in order of creation, from 1 on
  EventChannel* channel = nullptr;  // null once the program has closed it
  int port_space = 0;
  Address src;
  Address dst;
  bool has_device = false;
  bool takes_events = false;  // a requested id does not before it is accepted
  bool failed_early = false;  // its CONNECT_ERROR is the last word
  uint32_t qp_num = 0;        // 0: none attached
  uint32_t psn = 0;           // where its queue pair starts to count
  CmPeer peer;                // of an active end not before its reply
  CmId* listener = nullptr;   // passive, until the request was read
  int backlog = 0;
  int unread_requests = 0;

  // Options.
  bool reuse_address = false;
  std::optional<bool> one_family;  // unset: as the family has it, IPv6 wildcards take both
  uint8_t type_of_service = 0;
  std::optional<uint8_t> ack_timeout;
  Ece local_ece, remote_ece;

  // What the connection has agreed on so far.
  uint8_t responder_resources = 0;
  uint8_t initiator_depth = 0;
  uint8_t retry_count = 0;
  uint8_t rnr_retry_count = 0;
  uint32_t peer_qp_num = 0;
  uint32_t peer_psn = 0;
  CmMessage sent;  // the request or the reply, to be sent again

  uint64_t deadline = 0;  // of its timer; 0: none runs
  int tries_left = 0;     // transmissions after the one under way
  void* user = nullptr;   // whoever wraps the id

  // Whether a connection to an IPv4 address reaches it although it is bound to the IPv6 wildcard.
  bool takes_both_families() const {
    return src.family() == AF_INET6 && src.wildcard() && !one_family.value_or(false);
  }
};

}  // namespace fakenic
