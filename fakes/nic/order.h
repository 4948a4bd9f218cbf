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
  kExecute,      // of a read or an atomic: the responder reads its memory
  kFlush,        // of a flush: the responder pushes out what was placed before it
  kPlace,        // write a piece into the responder's memory
  kPlaceWord,    // the same, of an atomic write
  kReceive,      // the completion of the receive that the message consumed is written
  kAcknowledge,  // the answer reaches the requester
  kLand,         // of a read or an atomic: write a piece into the requester's memory
  kComplete,     // the requester's completion is written
  kRaise,        // a completion event that a CQ owes reaches its channel; not a step of a message
  kRepeat,       // the answer was lost: the message is sent again
};
inline constexpr size_t kStepKinds = 10;  // those that every message takes

// Rows: the earlier message's step, still to be taken. Columns: the later message's step.
// Requests arrive and writes are placed in posting order; a read sees the writes before it, but may
// be executed after later ones were placed, and after later reads, unless those are fenced. A flush
// is executed behind all before it; of what comes later only an atomic write, which commits, is
// placed behind it. A receive completes behind its bytes and those of all earlier writes. Answers
// arrive, and requests complete, in posting order. What is not ordered: a source may be read while
// earlier messages travel, and before an earlier read has landed; an acknowledgement means that the
// responder has the data, not that it is in memory. An atomic is executed and then placed, with
// nothing between but what is not ordered against its placement.
inline constexpr bool kInOrder = false;
inline constexpr bool kMayPass = true;
inline constexpr std::array<std::array<bool, kStepKinds>, kStepKinds> kOrder{{
    // clang-format off
    //                   fetch     deliver   execute   flush     place     word      receive   acknowl.  land      complete
    /* fetch       */ {{kInOrder, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder}},
    /* deliver     */ {{kMayPass, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder}},
    /* execute     */ {{kMayPass, kMayPass, kMayPass, kInOrder, kMayPass, kMayPass, kMayPass, kInOrder, kInOrder, kInOrder}},
    /* flush       */ {{kMayPass, kMayPass, kMayPass, kInOrder, kMayPass, kInOrder, kMayPass, kInOrder, kInOrder, kInOrder}},
    /* place       */ {{kMayPass, kMayPass, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder, kMayPass, kMayPass, kMayPass}},
    /* place word  */ {{kMayPass, kMayPass, kInOrder, kInOrder, kInOrder, kInOrder, kInOrder, kMayPass, kMayPass, kMayPass}},
    /* receive     */ {{kMayPass, kMayPass, kMayPass, kMayPass, kInOrder, kInOrder, kInOrder, kMayPass, kMayPass, kMayPass}},
    /* acknowledge */ {{kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kInOrder, kInOrder, kInOrder}},
    /* land        */ {{kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kInOrder, kInOrder}},
    /* complete    */ {{kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kMayPass, kInOrder}},
    // clang-format on
}};

inline constexpr bool MayOvertake(StepKind later, StepKind earlier) {
  return kOrder[static_cast<size_t>(earlier)][static_cast<size_t>(later)];
}

// A set of kinds, a bit each.
using StepKinds = uint32_t;

constexpr StepKinds Bit(StepKind kind) { return 1u << static_cast<uint32_t>(kind); }
inline constexpr StepKinds kEveryKind = (1u << kStepKinds) - 1;

// The steps of later messages that a step still to be taken holds up.
inline constexpr std::array<StepKinds, kStepKinds> kHolds = [] {
  std::array<StepKinds, kStepKinds> holds{};
  for (size_t earlier = 0; earlier < kStepKinds; ++earlier) {
    for (size_t later = 0; later < kStepKinds; ++later) {
      if (!kOrder[earlier][later]) holds[earlier] |= 1u << later;
    }
  }
  return holds;
}();

constexpr StepKinds HeldUpBy(StepKinds pending) {
  StepKinds held = 0;
  for (size_t kind = 0; kind < kStepKinds; ++kind) {
    if ((pending >> kind & 1) != 0) held |= kHolds[kind];
  }
  return held;
}

}  // namespace fakenic
