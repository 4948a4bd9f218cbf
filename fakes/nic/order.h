// Which step of a later message may be taken before a step of an earlier message of the same queue
// pair.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fakenic {

enum class StepKind : uint8_t {
  kFetch,        // read a piece of the source
  kDeliver,      // arrive at the responder, which checks it
  kPlace,        // write a piece into the target memory
  kAcknowledge,  // the answer reaches the requester
  kComplete,     // the requester's completion is written
  kRaise,        // a completion event that a CQ owes reaches its channel; not a step of a message
};
inline constexpr size_t kStepKinds = 5;  // those of a message

// Rows: the earlier message's step, still to be taken. Columns: the later message's step.
// Writes are sent and placed in posting order and complete in posting order. What is not ordered: a
// source may be read while earlier messages travel; an acknowledgement means that the responder has
// the data, not that it is in memory.
inline constexpr bool kInOrder = false;
inline constexpr bool kMayPass = true;
inline constexpr std::array<std::array<bool, kStepKinds>, kStepKinds> kOrder{{
    //                   fetch     deliver   place     acknowledge complete
    /* fetch       */ {{kInOrder, kInOrder, kInOrder, kInOrder, kInOrder}},
    /* deliver     */ {{kMayPass, kInOrder, kInOrder, kInOrder, kInOrder}},
    /* place       */ {{kMayPass, kMayPass, kInOrder, kMayPass, kMayPass}},
    /* acknowledge */ {{kMayPass, kMayPass, kMayPass, kInOrder, kInOrder}},
    /* complete    */ {{kMayPass, kMayPass, kMayPass, kMayPass, kInOrder}},
}};

inline constexpr bool MayOvertake(StepKind later, StepKind earlier) {
  return kOrder[static_cast<size_t>(earlier)][static_cast<size_t>(later)];
}

}  // namespace fakenic
