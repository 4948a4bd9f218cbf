// The RDMA connection manager: identifiers, addresses, and the messages between the two ends of a
// connection.
//
// Single-threaded like the fabric. Functions return 0 or the errno that the caller's function
// reports.
//
// Differs from a real one:
//  - a message arrives at once; there is no time-out, no loss, no duplicate.
//  - a connection request that nobody answers waits for ever, and no TIMEWAIT_EXIT follows a
//  disconnection.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "cm/cm_event.h"
#include "cm/cm_id.h"
#include "cm/port_table.h"
#include "nic/fabric.h"

namespace fakenic {

class ConnectionManager {
 public:
  explicit ConnectionManager(Fabric& fabric) : fabric_(fabric) {}
  ~ConnectionManager();
  ConnectionManager(const ConnectionManager&) = delete;
  ConnectionManager& operator=(const ConnectionManager&) = delete;

  // Whether the device answers for this address. The default: loopback addresses only.
  std::function<bool(const Address&)> owns_address = [](const Address& a) { return a.loopback(); };

  CmId* CreateId(EventChannel* channel, int port_space);
  // Ends the connection the id is part of, drops its unread events and frees it.
  void DestroyId(CmId& id);
  uint64_t live_ids() const { return ids_.size(); }

  // EINVAL: bound already, or an address of no known family. ENODEV: not an address of the device.
  int BindAddr(CmId& id, const Address& address);
  // EINVAL: neither bound nor idle. An idle id is bound to the IPv4 wildcard and a free port first.
  int Listen(CmId& id, int backlog);

  // The result comes as an event. EINVAL: the id is past this, the families differ, or an unknown
  // one.
  int ResolveAddr(CmId& id, const Address& src, const Address& dst);
  int ResolveRoute(CmId& id, int timeout_ms);

  // Brings the QP, fresh from creation, to INIT.
  int AttachQp(CmId& id, Qp& qp);

  // EINVAL: the id is not ready for it, too much private data, or a depth above the device's.
  int Connect(CmId& id, const ConnParam& param);
  int Accept(CmId& id, const ConnParam& param);
  int Reject(CmId& id, const std::vector<uint8_t>& private_data);
  // For an active end that moves its queue pair itself.
  int Establish(CmId& id);
  // EINVAL: never connected. Moves the queue pair to ERR, tells the peer.
  int Disconnect(CmId& id);

  // Moves the id and its unread events to another channel.
  void Migrate(CmId& id, EventChannel& channel);

  // What the library does while the program fetches an event: the active queue pair becomes ready,
  // a rejected one fails.
  void Fetched(CmEvent& event);

 private:
  void Notify(CmId& id, CmEventType type, int status = 0, ConnParam param = {});
  void SendReply(CmId& passive, CmId& active, const ConnParam& param);
  int MakeReady(CmId& id, uint32_t peer_qp_num, const ConnParam& local);
  Qp* QpOf(const CmId& id) { return fabric_.device().FindQp(id.qp_num); }
  void FailQp(CmId& id);
  void RejectPeer(CmId& id, int reason, const std::vector<uint8_t>& private_data);
  void EndConnection(CmId& id);
  void DropUnread(CmId& id);

  Fabric& fabric_;
  PortTable ports_;
  std::set<CmId*> ids_;
};

}  // namespace fakenic
