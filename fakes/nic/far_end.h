// What a queue pair keeps about a peer in another fabric.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "nic/packet.h"
#include "nic/types.h"

namespace fakenic {

class Qp;

// An answer that could not be sent at once. That of a read is fetched from memory when it is sent.
struct PendingAnswer {
  PacketHeader header = {};
  std::vector<std::byte> bytes = {};
  bool from_memory = false;
};

// A message whose bytes arrive, in one packet or in several. Keeps its memory for the next one.
struct Arriving {
  bool active = false;
  PacketHeader header;  // of its first packet
  uint64_t received = 0;
  std::optional<uint64_t> recv_wr_id;  // the receive that it consumed, and its buffers
  std::vector<Sge> recv_sges;
  bool in_steps = false;
  std::vector<std::byte> bytes;  // of one that is delivered in steps
};

// The sequence numbers of messages count in Qp, which outlives this.
struct FarEnd {
  // As a requester. Messages are sent in order.
  uint32_t unsent = 0;      // the first message that is not wholly sent
  uint64_t sent_bytes = 0;  // of that one
  size_t reads = 0;         // reads and atomics that are sent and not answered
  bool held = false;        // the responder has no receive, and will say when it has
  uint64_t deadline = 0;    // of the oldest message; 0: none
  unsigned respites = 0;    // how often that was put off for a responder that could not run

  // As a responder.
  bool in_sequence = false;  // `expected` is known
  uint32_t expected = 0;     // the next message
  bool starving = false;     // a message was turned away for the lack of a receive
  Arriving arriving;
  std::deque<PendingAnswer> answers;
  std::unique_ptr<Qp> stand_in;  // in place of the requester, when messages move in steps

  bool stuck = false;     // in Fabric::stuck_
  bool awaiting = false;  // in Fabric::awaiting_
};

// The first of the messages that came before the queue pair was ready for them.
struct TurnedAway {
  uint32_t requester;
  uint32_t sequence;
};

}  // namespace fakenic
