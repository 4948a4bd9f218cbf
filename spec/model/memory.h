// What the memory of an end may hold, given everything that was posted at it: a certain operation's
// bytes, and where an operation failed or its outcome is open, either the old bytes or its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spec/model/receive_queue.h"
#include "spec/model/send_queue.h"

namespace spec::model {

// The byte that the suite puts over the caller's 8 bytes as soon as an atomic write has returned.
inline constexpr std::uint8_t kScribble = 0xEE;

struct MemoryView {
  std::span<const std::uint8_t> now;       // what the memory holds
  std::span<const std::uint8_t> pristine;  // what it held before anything was posted
  const char* name;                        // "server" or "client"
};

class MemoryCheck {
 public:
  explicit MemoryCheck(Witness* witness) : witness_(witness) {}

  // The whole memory of one end, after everything posted at it has been carried out or has failed:
  // Begin, then what may have changed it, then Judge. `alive`: everything posted is known to have
  // run, so what had to succeed is in place.
  void Begin(const MemoryView& memory);
  void WrittenBy(const SendQueue& other, bool alive);  // the other end
  void ReadBy(const SendQueue& own, bool alive);       // this end
  // Receives whose buffers are in this end's memory, which has this number.
  void ReceivedBy(const ReceiveQueue& receives, int memory);
  // `last`: the page of the last call, to be charged with a change that nothing posted explains.
  void Judge(const Page* last, bool refused);

  // A flush by `initiator` has completed: all that it wrote before is in this memory.
  void Flushed(const MemoryView& memory, const SendQueue& initiator, std::size_t flush);

  // While operations are in flight: no aligned 8-byte word that only atomic writes aim at holds a
  // mix of two values.
  void Untorn(const MemoryView& memory, const SendQueue& initiator);

 private:
  // A range of the memory that an operation may have changed.
  struct Effect {
    const Operation* operation;  // that is charged
    const Operation* sent;       // the message that a receive took, else nullptr
    std::size_t target;
    std::span<const std::uint8_t> bytes;  // what it puts there
    std::size_t length;                   // of the range; beyond `bytes` nothing changes
    bool certain;
    bool anything;             // whatever stands there is allowed
    const SendQueue* changes;  // of a read: what may have changed its source meanwhile
  };

  bool Allows(const Effect& effect, std::size_t at, std::uint8_t held) const;
  bool Possible(std::size_t at) const;
  void BlameByte(std::size_t at, const Page* last, bool refused);
  void BlameEffect(const Effect& effect, std::size_t at);

  Witness* witness_;
  MemoryView memory_{};
  std::vector<Effect> effects_;
  std::vector<std::uint8_t> expected_;
};

}  // namespace spec::model
