// The connection of two processes: two rings for packets, a socket that tells of the other's end,
// and a doorbell each for a reader that sleeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "nic/types.h"
#include "wire/encoding.h"
#include "wire/file.h"
#include "wire/ring.h"
#include "wire/shared_rings.h"

namespace fakenic {

// Single-threaded: its owner locks.
class Link {
 public:
  // The end that made the rings, and the one that was given them. The doorbell is the peer's; it
  // may come later.
  static std::unique_ptr<Link> Make(SharedRings rings, File socket);
  static std::unique_ptr<Link> Adopt(SharedRings rings, File socket, File doorbell);

  uint64_t peer = 0;  // the process at the other end
  uint32_t peer_host = 0;
  int peer_pid = 0;
  const File& socket() const { return socket_; }
  bool has_doorbell() const { return doorbell_.open(); }
  void SetDoorbell(File doorbell);

  // Sends one packet. False if there is no room; then the peer will ring when there is.
  bool Send(const PacketHeader& header, std::span<const Sge> payload);

  // Hands every packet that has come to this function, which says what is wrong with its payload.
  // False, with reason(), if one is malformed: the link is of no use any more.
  bool Drain(const std::function<Flaw(const Packet&)>& take);
  bool empty() const { return reader_.empty(); }
  // Whether the peer has taken all that was sent.
  bool all_read() const { return writer_.all_read(); }
  const std::string& reason() const { return reason_; }

  // Before its owner sleeps: false if something has come.
  bool FallAsleep() { return reader_.FallAsleep(); }
  void StayAwake() { reader_.StayAwake(); }

 private:
  Link(SharedRings rings, File socket, int writes);
  void Ring();

  SharedRings rings_;
  RingWriter writer_;
  RingReader reader_;
  File socket_;
  File doorbell_;
  bool owes_ring_ = false;  // the peer is asleep, and has not said yet how it is woken
  std::string reason_;
};

}  // namespace fakenic
