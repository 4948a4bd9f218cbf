// The RDMA connection manager: identifiers, addresses, and the messages between the two ends of a
// connection.
//
// Single-threaded like the fabric. Functions return 0 or the errno that the caller's function
// reports. Times are those of the kernel's defaults, on the model's clock.
//
// Differs from a real one:
//  - a message between two ids of one process arrives at once; none is lost but those to a silent
//    host or beyond a backlog.
//  - free ports are given out in ascending order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cm/cm_event.h"
#include "cm/cm_id.h"
#include "cm/cm_message.h"
#include "cm/cm_network.h"
#include "cm/hosts.h"
#include "cm/port_table.h"
#include "nic/clock.h"
#include "nic/fabric.h"

namespace fakenic {

class ConnectionManager {
 public:
  ConnectionManager(Fabric& fabric, Clock& clock) : fabric_(fabric), clock_(clock) {}
  ConnectionManager(const ConnectionManager&) = delete;
  ConnectionManager& operator=(const ConnectionManager&) = delete;

  Hosts hosts;
  std::function<bool()> may_bind_low_ports = [] { return true; };  // those below 1024

  // Other processes; null: there are none.
  void set_network(CmNetwork* network);
  // Free ports are given out from a place on that depends on this number.
  void StartFreePortsAfter(uint32_t number) { ports_.StartFreePortsAfter(number); }
  // A message from one of them.
  void Receive(const CmMessage& message) { Handle(message); }
  // The process has ended, and its ids with it. Requires that its messages were received.
  void ProcessEnded(uint64_t process);

  CmId* CreateId(EventChannel* channel, int port_space);
  // Ends the connection the id is part of, drops its unread events and frees it.
  void DestroyId(CmId& id);
  uint64_t live_ids() const { return ids_.size(); }
  std::vector<uint16_t> ListeningPorts() const;

  // Ends the connections of all ids on the channel, as the kernel does when its descriptor is
  // closed. The ids stay until they are destroyed, and hear of nothing more.
  void CloseChannel(EventChannel& channel);
  // Moves the id and its unread events to another channel.
  void Migrate(CmId& id, EventChannel& channel);

  // EINVAL: bound already, or an address of no known family. EACCES: a low port. ENODEV,
  // EADDRNOTAVAIL: see Hosts. EADDRINUSE, EADDRNOTAVAIL: see PortTable.
  int BindAddr(CmId& id, const Address& address);
  // EINVAL: neither bound nor idle. An idle id is bound to the IPv4 wildcard and a free port first.
  int Listen(CmId& id, int backlog);

  // The result comes as an event. EINVAL: the id is past this, the families differ, or an unknown
  // one. Further errors: those of BindAddr for the source.
  int ResolveAddr(CmId& id, const Address& src, const Address& dst, int timeout_ms);
  int ResolveRoute(CmId& id, int timeout_ms);

  // EINVAL: the state does not allow it any more.
  int SetReuseAddress(CmId& id, bool reuse);
  int SetOneFamily(CmId& id, bool one_family);

  // The attributes for a transition of the id's queue pair to INIT, RTR or RTS, and which they are.
  // EINVAL: the connection is not that far.
  int InitQpAttr(const CmId& id, QpState to, QpAttr& attr, uint32_t& mask) const;
  // Brings the queue pair, fresh from creation, to INIT.
  int AttachQp(CmId& id, Qp& qp);

  // EINVAL: the id is not ready for it, too much private data, or a depth above the device's.
  int Connect(CmId& id, const ConnParam& param);
  int Accept(CmId& id, const ConnParam& param);
  int Reject(CmId& id, int reason, const std::vector<uint8_t>& private_data);
  // For an active end that moves its queue pair itself. EINVAL: there is no reply to confirm.
  int Establish(CmId& id);
  // The passive end has heard of its peer otherwise. EINVAL: it does not wait for that. EISCONN:
  // connected already.
  int NotifyCommEstablished(CmId& id);
  // EINVAL: never connected. Moves the queue pair to ERR, tells the peer.
  int Disconnect(CmId& id);

  // What the library does while the program fetches an event: the active queue pair becomes ready,
  // a rejected one fails. False: the program does not get to see it.
  bool Fetched(CmEvent& event);

  void RemoveDevice();  // every id that has it learns of it, and is of no use any more
  void ReturnDevice() { hosts.device_present = true; }

  bool has_timers() const { return !timers_.empty(); }
  std::optional<uint64_t> NextDeadline() const;
  void FireTimers();

 private:
  void Raise(CmId& id, CmEventType type, int status = 0, ConnParam param = {});
  void DropUnread(CmId& id);
  int Bind(CmId& id, const Address& address);

  Qp* QpOf(const CmId& id) const { return fabric_.device().FindQp(id.qp_num); }
  int MoveQp(CmId& id, QpState to);
  int MakeReady(CmId& id, uint8_t responder_resources, uint8_t initiator_depth);
  void FailQp(CmId& id);
  bool TakeDepth(uint8_t& depth) const;

  // connection_messages.cc: sending and handling.
  void SendRequest(CmId& active);
  CmMessage Reply(const CmId& passive, ConnParam param) const;
  // Ends this end's attempt and tells the other end why.
  void SendReject(CmId& id, int reason, const std::vector<uint8_t>& private_data);
  void SendDisconnect(CmId& id);
  void AnswerDisconnect(CmId& id);
  void Send(CmMessage message);
  void SendFrom(const CmId& id, CmMessage message);
  void Handle(const CmMessage& message);
  CmId* FindAddressee(const CmMessage& message) const;
  void HandleRequest(const CmMessage& request);
  bool RefuseStale(const CmMessage& request);
  void MakePassive(const CmMessage& request, CmId& listener);
  void HandleReply(CmId& active, const CmMessage& reply);
  void HandleReject(CmId& id, int reason, const std::vector<uint8_t>& private_data);
  void HandleDisconnect(CmId& id);
  void HandleDisconnectReply(CmId& id);
  // What the other end hears when this one goes without a word.
  void EndConnection(CmId& id);

  void StartTimer(CmId& id, uint64_t ns);
  void StopTimer(CmId& id);
  void TimeOut(CmId& id);
  void GiveUp(CmId& id);
  void EnterTimewait(CmId& id);

  Fabric& fabric_;
  Clock& clock_;
  PortTable ports_;
  uint64_t next_serial_ = 1;
  std::map<uint64_t, std::unique_ptr<CmId>> ids_;          // by serial
  std::map<std::pair<uint64_t, uint64_t>, CmId*> timers_;  // by deadline and serial
  CmNetwork* network_ = nullptr;
  std::unordered_map<uint32_t, CmId*> passive_by_requester_;  // by the active end's qp_num
  std::map<CmPeer, CmId*> passive_by_active_;                 // by the active end's id
};

}  // namespace fakenic
