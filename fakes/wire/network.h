// What this process has of a fabric of many processes: its place in the registry, its links, and
// the routes to queue pairs, listeners and addresses elsewhere.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cm/cm_network.h"
#include "cm/connection_manager.h"
#include "nic/clock.h"
#include "nic/fabric.h"
#include "wire/link.h"
#include "wire/local_socket.h"
#include "wire/registry.h"

namespace fakenic {

// How a process takes part, as its environment says.
struct NetworkSettings {
  std::string directory = {};  // empty: not at all
  std::string host = {};       // empty: as the machine itself
  std::vector<Address> addresses = {};
};

// Single-threaded: its owner locks. Joins the fabric when something of it is needed for the first
// time. The owner watches two descriptors while somebody may want something of this process.
class Network : public Remote, public CmNetwork {
 public:
  Network(NetworkSettings settings, Fabric& fabric, ConnectionManager& cm, Clock& clock);
  ~Network() override;

  // Whether this process takes part, or would if it had to.
  bool on() const { return !settings_.directory.empty() && !failed_; }

  // Readable when somebody rings: a packet came, or there is room again.
  int doorbell() const { return doorbell_.get(); }
  void Ring();
  // Readable when a process connects or a link ends; -1 while that cannot be.
  int sockets() const { return epoll_.get(); }
  // Whether others may want something of this process.
  bool reachable() const { return listener_.open(); }

  // Takes in what has come, and sends what waited. Cheap if there is nothing. Returns whether
  // something came.
  bool Drain();
  // Accepts links, ends those that are dead. Of use when sockets() is readable.
  void ServeSockets();
  // Packets sent to others, and taken in from them with all that follows at once.
  uint64_t sent() const { return sent_; }
  uint64_t taken() const { return taken_; }
  // Whether something that could go waits here for room, or for the end of its way.
  bool waits() const { return !waiting_.empty() || !delayed_.empty() || fabric_.stuck(); }
  bool has_links() const { return !links_.empty(); }
  size_t links() const { return links_.size(); }
  // Before the owner sleeps until somebody rings; false if something has come.
  bool FallAsleep();
  void StayAwake();

  // When a packet that travels slowly arrives; 0: none does.
  uint64_t NextArrival() const;

  // In a child that was forked: lets go of everything, without a word to anybody.
  void Abandon();

  // Whether an address is one of the machine's interfaces.
  std::function<bool(const Address&)> is_machine_address = [](const Address&) { return false; };
  // Lines for a person about this process.
  std::function<std::string()> describe = [] { return std::string(); };

  // Called when others may want something of this process from now on.
  std::function<void()> on_reachable;

  // Remote
  void Expect() override { BecomeReachable(); }
  bool Send(const PacketHeader& header, std::span<const Sge> payload) override;
  bool IsStarved(uint32_t qp_num) override;

  // CmNetwork
  uint64_t FindListener(int port_space, const Address& address, bool* elsewhere) override;
  void Send(const CmMessage& message) override;
  int ClaimPort(const CmId& id) override;
  int Listen(const CmId& id) override;
  void ReleasePort(const CmId& id) override;

  // For Hosts.
  bool IsLocal(const Address& address);
  Route Beyond(const Address& address);
  Address SourceTo(const Address& address);

  // For the device's queue pair numbers; none if there are no more, or no fabric.
  std::optional<uint32_t> ClaimBlock();

  // Makes this process reachable for others. False if that is not possible.
  bool BecomeReachable();
  // The host's number in the fabric, from 1 on.
  uint32_t HostNumber();
  bool HasHost(uint32_t number);
  // Of whom a path leads to, and of whom a queue pair number is; 0: of nobody.
  uint32_t NumberOfHost(const Address& address);
  uint32_t NumberOfHost(uint32_t qp_num);
  const NetworkSettings& settings() const { return settings_; }

 private:
  // A packet that travels slowly.
  struct Delayed {
    ProcessId to;
    PacketHeader header;
    std::vector<std::byte> payload;
  };

  bool Join();
  bool Failed(const std::string& why);
  Link* LinkTo(ProcessId process);
  Link* Connect(ProcessId process);
  Link* LinkToQp(uint32_t num);
  bool SendVia(Link& link, const PacketHeader& header, std::span<const Sge> payload);
  bool SendNow(Link& link, const PacketHeader& header, std::span<const Sge> payload);
  bool Delay(ProcessId to, uint32_t delay_us, const PacketHeader& header,
             std::span<const Sge> payload);
  void SendDelayed();
  void SendWaiting();
  Flaw Take(Link& link, const Packet& packet);

  // network_sockets.cc
  void AcceptAll();
  void Greet(File socket);
  void AdoptLink(File socket, Received greeting, pid_t pid);
  void ServeLink(Link& link);
  void CloseLink(Link& link, const std::string& reason);
  bool Watch(int fd);

  // The host with this address; none if nobody has it.
  std::optional<uint32_t> HostOf(const Address& address);
  Registry::Fault FaultTo(uint32_t host);

  NetworkSettings settings_;
  Fabric& fabric_;
  ConnectionManager& cm_;
  Clock& clock_;
  bool joined_ = false;
  bool failed_ = false;
  File doorbell_;
  File epoll_;
  File directory_;
  std::unique_ptr<Registry> registry_;
  File listener_;
  std::vector<File> greeting_;  // connections whose first message has yet to come
  std::vector<std::unique_ptr<Link>> links_;
  std::map<ProcessId, Link*> link_to_;  // the one that is sent to
  std::array<Link*, registry::kBlocks> link_of_block_{};
  std::set<ProcessId> ended_;
  std::deque<std::pair<ProcessId, EncodedConnection>> waiting_;  // for room
  uint64_t sent_ = 0;
  uint64_t taken_ = 0;
  uint32_t faults_version_ = 0;
  std::map<uint32_t, Registry::Fault> faults_;  // by the other host
  std::multimap<uint64_t, Delayed> delayed_;    // by arrival
  bool delayed_waits_ = false;                  // for room
  std::map<ProcessId, uint64_t> last_arrival_;  // the latest of those to a process
};

}  // namespace fakenic
