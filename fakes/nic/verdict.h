// The result of a check on the data path, and its explanation in words.
#pragma once

#include <cstdint>
#include <string>

#include "nic/mr.h"
#include "nic/types.h"

namespace fakenic {

enum class Cause : uint8_t {
  kNone,
  kLocalKey,         // the source range failed a check of its lkey
  kRemoteKey,        // the target range failed a check of its rkey
  kQpAccess,         // the responder's queue pair does not allow the operation
  kAtomicAlign,      // an atomic to an address that is not a multiple of 8
  kNoReadResources,  // the responder answers no reads or atomics, or not so many at once
  kAtomicLength,     // an atomic of other than 8 bytes
  kTooLong,          // more bytes than a message can have
  kReceiveTooShort,  // the receive's buffers hold less than the message
  kReceiveKey,       // a buffer of the receive failed a check of its lkey
  kNoReceive,        // the responder had no receive within the RNR retries
  kInvalidateKey,    // the key to invalidate names nothing that can be invalidated
  kUnreachable,      // no responder answered within the retries
  kFlushed,          // the queue pair was already in error
  kCutShort,         // the bytes of a message ended before its length
};

// Trivial, so that a success costs nothing; the words are made only when something failed.
struct Verdict {
  WcStatus status = WcStatus::kSuccess;
  Cause cause = Cause::kNone;
  AccessVerdict access = AccessVerdict::kAllowed;
  uint32_t key = 0;
  uint64_t addr = 0;
  uint64_t length = 0;

  bool ok() const { return status == WcStatus::kSuccess; }
};

// One line, for example "qp 0x11 wr 0x7: rkey 0x304: bytes 0x7f00+16 are outside the region
// 0x7e00+264". Without the region, when it is elsewhere or gone, its extent is left out.
std::string Explain(uint32_t qp_num, uint64_t wr_id, const Verdict& verdict, const Mr* mr);

}  // namespace fakenic
