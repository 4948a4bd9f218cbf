// A send work request on its way: what of it is still to be done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nic/mr.h"
#include "nic/order.h"
#include "nic/types.h"
#include "nic/verdict.h"

namespace fakenic {

// A part of a message that is not yet in the memory it is for: the responder's, or of a read the
// requester's.
struct Piece {
  const Mr* mr;
  uint64_t addr;
  uint64_t offset;  // in the message
  uint64_t length;
};

struct Message {
  Qp* requester = nullptr;
  uint64_t sequence = 0;  // age, over all queue pairs
  uint64_t position = 0;  // in the requester's send queue
  uint64_t wr_id = 0;
  WrOpcode opcode = WrOpcode::kRdmaWrite;
  bool signaled = false;
  bool fenced = false;  // waits for the reads before it
  uint64_t remote_addr = 0;
  uint32_t rkey = 0;
  uint64_t length = 0;
  std::vector<Sge> sges;           // empty once the payload is whole, and for inline data
  std::vector<std::byte> payload;  // what has been read of the source; of a read: of the target
  std::vector<Piece> pieces;
  Verdict answer;   // what the responder found
  Verdict outcome;  // what the requester will report, once decided
  bool delivered = false;
  bool executed = false;  // a read's payload is what the responder's memory held
  bool answered = false;
  bool decided = false;
  bool completed = false;
  uint64_t retry_deadline = 0;  // 0: not waiting for the responder

  bool is_read() const { return opcode == WrOpcode::kRdmaRead; }
  bool fetched() const { return is_read() || payload.size() == length; }

  // Whether a step of this kind is still to come.
  bool Pending(StepKind kind) const {
    switch (kind) {
      case StepKind::kFetch:
        return !decided && !fetched();
      case StepKind::kDeliver:
        return !decided && !delivered;
      case StepKind::kExecute:
        return is_read() && !decided && !executed;
      case StepKind::kPlace:
        return !is_read() && (Pending(StepKind::kDeliver) || !pieces.empty());
      case StepKind::kAcknowledge:
        return !decided && !answered;
      case StepKind::kLand:
        return is_read() && !decided;
      case StepKind::kComplete:
        return !completed;
      case StepKind::kRaise:
        break;
    }
    return false;
  }

  bool done() const { return completed && pieces.empty(); }
};

}  // namespace fakenic
