// A send work request on its way: what of it is still to be done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "nic/mr.h"
#include "nic/opcode.h"
#include "nic/order.h"
#include "nic/types.h"
#include "nic/verdict.h"

namespace fakenic {

// A part of a message that is not yet in the memory it is for.
struct Piece {
  const Mr* mr;
  uint64_t addr;
  uint64_t offset;  // in the message
  uint64_t length;
};

// What a message waits for, with a timer that ends the wait.
enum class Wait : uint8_t { kNone, kResponder, kReceive };

// The receive that a message consumed, until its completion is written.
struct ConsumedRecv {
  Qp* responder;  // null once that is gone, and the receive with it
  uint64_t wr_id;
  bool completed = false;
};

// What is new with each message. Trivial, so that a new one is a copy.
struct MessageState {
  Qp* requester = nullptr;
  uint32_t flow = 0;      // the requester's number, which outlives it
  uint64_t sequence = 0;  // age, over all queue pairs
  uint64_t position = 0;  // in the requester's send queue
  uint64_t wr_id = 0;
  WrOpcode opcode = WrOpcode::kRdmaWrite;
  bool signaled = false;
  bool fenced = false;  // waits for the reads and atomics before it
  bool solicited = false;
  uint64_t remote_addr = 0;
  uint32_t rkey = 0;
  uint32_t imm_data = 0;
  uint64_t compare_add = 0;
  uint64_t swap = 0;
  Flush flush;
  uint64_t length = 0;
  uint64_t stored = 0;  // what an atomic writes
  std::optional<ConsumedRecv> recv;
  Verdict answer;   // what the responder found
  Verdict outcome;  // what the requester will report, once decided
  bool started = false;
  bool delivered = false;
  bool executed = false;
  bool answered = false;
  bool decided = false;
  bool completed = false;
  bool repeated = false;  // its answer was lost once
  Wait wait = Wait::kNone;
  uint64_t deadline = 0;  // of the wait; 0: it has none

  // Of a message to or from another fabric.
  uint32_t far_sequence = 0;
  uint64_t landed = 0;   // bytes of the answer that have come
  bool replied = false;  // the whole answer has come
};
static_assert(std::is_trivially_copyable_v<MessageState>);

struct Message : MessageState {
  std::vector<Sge> sges;  // empty for inline data
  // What has been read of the source; of a read or an atomic, once executed: of the target.
  std::vector<std::byte> payload;
  std::vector<Piece> pieces;  // for the responder; once answered with data, for the requester

  bool is_read() const { return opcode == WrOpcode::kRdmaRead; }
  bool is_atomic() const { return IsAtomic(opcode); }
  bool is_flush() const { return opcode == WrOpcode::kFlush; }
  bool is_atomic_write() const { return opcode == WrOpcode::kAtomicWrite; }
  bool answered_with_data() const { return IsAnsweredWithData(opcode); }
  // The responder does more with it, after it has arrived, than place its bytes.
  bool needs_execution() const { return answered_with_data() || is_flush(); }
  bool execution_pending() const { return needs_execution() && !decided && !executed; }
  bool fetched() const { return answered_with_data() || delivered || payload.size() == length; }

  // Whether its pieces, if any, are for the requester's memory.
  bool landing() const { return answered_with_data() && answered; }

  bool placement_pending() const {
    if (is_read() || is_flush()) return false;
    if (is_atomic() && execution_pending()) return true;
    return (!decided && !delivered) || (!pieces.empty() && !landing());
  }

  // Whether a step of this kind is still to come.
  bool Pending(StepKind kind) const {
    switch (kind) {
      case StepKind::kFetch:
        return !decided && !fetched();
      case StepKind::kDeliver:
        return !decided && !delivered;
      case StepKind::kExecute:
        return !is_flush() && execution_pending();
      case StepKind::kFlush:
        return is_flush() && execution_pending();
      case StepKind::kPlace:
        return !is_atomic_write() && placement_pending();
      case StepKind::kPlaceWord:
        return is_atomic_write() && placement_pending();
      case StepKind::kReceive:
        return ConsumesReceive(opcode) &&
               (Pending(StepKind::kDeliver) || (recv && !recv->completed));
      case StepKind::kAcknowledge:
        return !decided && !answered;
      case StepKind::kLand:
        return answered_with_data() && !decided;
      case StepKind::kComplete:
        return !completed;
      case StepKind::kRaise:
      case StepKind::kRepeat:
        break;
    }
    return false;
  }

  StepKinds PendingKinds() const {
    StepKinds pending = 0;
    for (size_t i = 0; i < kStepKinds; ++i) {
      if (Pending(static_cast<StepKind>(i))) pending |= 1u << i;
    }
    return pending;
  }

  // Nothing of it is left to be done, at either end.
  bool done() const { return completed && pieces.empty() && (!recv || recv->completed); }

  // As new, but for the memory of its vectors.
  void Clear() {
    static constexpr MessageState fresh{};
    MessageState::operator=(fresh);
    sges.clear();
    payload.clear();
    pieces.clear();
  }
};

}  // namespace fakenic
