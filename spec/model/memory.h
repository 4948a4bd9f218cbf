// What a target's memory may hold, given everything that was posted at it: a certain write's bytes,
// and where a write failed or its outcome is open, either the old bytes or its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spec/model/send_queue.h"

namespace spec::model {

// The byte that the suite puts over the caller's 8 bytes as soon as an atomic write has returned.
inline constexpr std::uint8_t kScribble = 0xEE;

struct MemoryView {
  std::span<const std::uint8_t> now;       // what the target holds
  std::span<const std::uint8_t> pristine;  // what it held before anything was posted
  const char* name;                        // "server" or "client"
};

// The whole memory of one end, after everything posted at it has been carried out or has failed.
class MemoryCheck {
 public:
  explicit MemoryCheck(Witness* witness) : witness_(witness) {}

  // `alive`: everything posted is known to have run, so what had to succeed is in place.
  void Settled(const MemoryView& memory, const SendQueue& initiator, bool alive);

  // While operations are in flight: no aligned 8-byte word that only atomic writes aim at holds a
  // mix of two values.
  void Untorn(const MemoryView& memory, const SendQueue& initiator);

 private:
  bool Certain(const SendQueue& initiator, std::size_t index) const;
  bool Possible(std::size_t at, const MemoryView& memory, const SendQueue& initiator) const;
  void BlameByte(std::size_t at, const MemoryView& memory, const SendQueue& initiator);

  Witness* witness_;
  std::vector<std::uint8_t> expected_;
  bool alive_ = false;
};

}  // namespace spec::model
