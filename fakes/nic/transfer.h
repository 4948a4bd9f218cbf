// The checks that a message passes and the placement of its bytes. The eager path and the stepped
// schedules share them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "nic/device.h"
#include "nic/opcode.h"
#include "nic/qp.h"
#include "nic/types.h"
#include "nic/verdict.h"

namespace fakenic {

inline constexpr uint64_t kMaxMessage = uint64_t{1} << 31;

// Whether a flush can be asked for so.
inline bool IsPossible(const Flush& flush) {
  constexpr uint8_t kTypes = flush_type::kGlobal | flush_type::kPersistent;
  if (flush.types == 0 || (flush.types & ~kTypes) != 0) return false;
  if (flush.level == flush_level::kMr) return true;
  return flush.level == flush_level::kRange && flush.length <= kMaxMessage;
}

// The requester's own: whether the operation can carry so many bytes.
inline Verdict CheckLength(WrOpcode opcode, uint64_t length) {
  if (length > kMaxMessage) [[unlikely]] {
    return {WcStatus::kLocLenErr, Cause::kTooLong, {}, 0, 0, length};
  }
  if (IsAtomic(opcode) && length != 8) [[unlikely]] {
    return {WcStatus::kLocLenErr, Cause::kAtomicLength, {}, 0, 0, length};
  }
  return {};
}

// The requester's own memory: each sge that is not empty must lie in a region of the queue pair's
// domain. To be read it needs no right, to take the answer of a read kLocalWrite.
inline Verdict CheckLocal(const Device& device, const Pd* pd, std::span<const Sge> sges,
                          uint32_t needed = 0) {
  for (const Sge& sge : sges) {
    if (sge.length == 0) continue;
    const AccessVerdict access =
        CheckAccess(device.FindMr(sge.lkey), pd, needed, sge.addr, sge.length);
    if (access != AccessVerdict::kAllowed) [[unlikely]] {
      return {WcStatus::kLocProtErr, Cause::kLocalKey, access, sge.lkey, sge.addr, sge.length};
    }
  }
  return {};
}

// The responder's first check: the operation as such.
inline Verdict CheckOperation(const Qp& responder, WrOpcode opcode, uint64_t addr, uint32_t rkey,
                              uint64_t length) {
  const uint32_t right = NeededAccess(opcode);
  if ((responder.attr().access_flags & right) != right) [[unlikely]] {
    return {WcStatus::kRemInvReqErr, Cause::kQpAccess, {}, rkey, addr, length};
  }
  if (opcode == WrOpcode::kRdmaWrite) return {};
  if (opcode == WrOpcode::kAtomicWrite && length != 8) {
    return {WcStatus::kRemInvReqErr, Cause::kAtomicLength, {}, rkey, addr, length};
  }
  if ((opcode == WrOpcode::kAtomicWrite || IsAtomic(opcode)) && addr % 8 != 0) {
    return {WcStatus::kRemInvReqErr, Cause::kAtomicAlign, {}, rkey, addr, length};
  }
  if (IsAnsweredWithData(opcode) && responder.attr().max_dest_rd_atomic == 0) {
    return {WcStatus::kRemInvReqErr, Cause::kNoReadResources, {}, /*key=*/0, addr, length};
  }
  return {};
}

// The responder's last check: the key and the range. No key is looked at for an empty message. *mr
// is the region when the verdict is ok and length is not 0.
inline Verdict CheckRange(const Device& device, const Qp& responder, WrOpcode opcode, uint64_t addr,
                          uint32_t rkey, uint64_t length, const Mr** mr) {
  if (length == 0) return {};
  *mr = device.FindMr(rkey);
  const AccessVerdict access = CheckAccess(*mr, responder.pd(), NeededAccess(opcode), addr, length);
  if (access != AccessVerdict::kAllowed) [[unlikely]] {
    return {WcStatus::kRemAccessErr, Cause::kRemoteKey, access, rkey, addr, length};
  }
  return {};
}

// Both, for an operation that consumes no receive.
inline Verdict CheckTarget(const Device& device, const Qp& responder, WrOpcode opcode,
                           uint64_t addr, uint32_t rkey, uint64_t length, const Mr** mr) {
  const Verdict verdict = CheckOperation(responder, opcode, addr, rkey, length);
  if (!verdict.ok()) [[unlikely]] {
    return verdict;
  }
  return CheckRange(device, responder, opcode, addr, rkey, length, mr);
}

// A flush has checks of its own: the rights for its types, and the key and the range even where
// that is empty.
inline Verdict CheckFlush(const Device& device, const Qp& responder, uint64_t addr, uint32_t rkey,
                          const Flush& flush) {
  const uint32_t needed = NeededAccess(flush);
  if ((responder.attr().access_flags & needed) != needed) {
    return {WcStatus::kRemInvReqErr, Cause::kQpAccess, {}, rkey, addr, flush.length};
  }
  const Mr* mr = device.FindMr(rkey);
  const bool whole = mr != nullptr && flush.level == flush_level::kMr;
  const AccessVerdict access = CheckAccess(mr, responder.pd(), needed, whole ? mr->addr : addr,
                                           whole ? mr->length : flush.length);
  if (access != AccessVerdict::kAllowed) {
    return {WcStatus::kRemAccessErr, Cause::kRemoteKey, access, rkey, addr, flush.length};
  }
  return {};
}

// A send into the buffers of a receive, as the receive will report it: long enough, and as far as
// bytes will go there, in regions of its domain that may be written.
inline Verdict CheckReceive(const Device& device, const Pd* pd, std::span<const Sge> sges,
                            uint64_t length) {
  uint64_t room = 0;
  for (const Sge& sge : sges) room += sge.length;
  if (length > room) [[unlikely]] {
    return {WcStatus::kLocLenErr, Cause::kReceiveTooShort, {}, 0, room, length};
  }
  for (const Sge& sge : sges) {
    if (length == 0) break;
    uint64_t part = std::min<uint64_t>(sge.length, length);
    length -= part;
    if (device.profile().receives_are_checked_whole) part = sge.length;
    if (part == 0) continue;
    const AccessVerdict access =
        CheckAccess(device.FindMr(sge.lkey), pd, access_flag::kLocalWrite, sge.addr, part);
    if (access != AccessVerdict::kAllowed) [[unlikely]] {
      return {WcStatus::kLocProtErr, Cause::kReceiveKey, access, sge.lkey, sge.addr, part};
    }
  }
  return {};
}

// What the requester hears when the receive failed so.
inline Verdict AnswerOf(Verdict receive) {
  receive.status =
      receive.cause == Cause::kReceiveTooShort ? WcStatus::kRemInvReqErr : WcStatus::kRemOpErr;
  return receive;
}

// What both ends make of a message that consumed a receive.
struct Arrival {
  Verdict answer;   // for the requester
  Verdict receive;  // for the receive's completion
};

inline Arrival CheckArrival(const Device& device, const Qp& responder, WrOpcode opcode,
                            uint64_t addr, uint32_t rkey, uint64_t length,
                            std::span<const Sge> recv_sges, const Mr** mr) {
  if (IsSend(opcode)) {
    const Verdict receive =
        CheckReceive(device, responder.recv_pd(device.profile()), recv_sges, length);
    return receive.ok() ? Arrival{} : Arrival{AnswerOf(receive), receive};
  }
  const Verdict range = CheckRange(device, responder, opcode, addr, rkey, length, mr);
  if (range.ok()) return {};
  Verdict receive = range;
  receive.status = WcStatus::kLocAccessErr;
  return {range, receive};
}

// Writes into target memory. An aligned 8-byte word is never torn, whoever else looks at it.
inline void PlaceBytes(uint64_t target, const void* source, uint64_t length) {
  if (length == 8 && target % 8 == 0) {
    uint64_t word;
    std::memcpy(&word, source, sizeof word);
    __atomic_store_n(reinterpret_cast<uint64_t*>(target), word, __ATOMIC_RELEASE);
  } else {
    std::memmove(reinterpret_cast<void*>(target), source, length);
  }
}

// Places one message straight from its source list.
inline void PlaceSges(uint64_t target, std::span<const Sge> sges) {
  for (const Sge& sge : sges) {
    if (sge.length == 0) continue;
    PlaceBytes(target, reinterpret_cast<const void*>(sge.addr), sge.length);
    target += sge.length;
  }
}

// Places one message straight from one list into another, which is at least as long.
inline void PlaceSges(std::span<const Sge> targets, std::span<const Sge> sources) {
  size_t at = 0;
  uint64_t filled = 0;  // bytes of targets[at]
  for (const Sge& source : sources) {
    for (uint64_t taken = 0; taken < source.length;) {
      const uint64_t part = std::min(source.length - taken, targets[at].length - filled);
      if (part > 0) {
        PlaceBytes(targets[at].addr + filled, reinterpret_cast<const void*>(source.addr + taken),
                   part);
      }
      taken += part;
      filled += part;
      if (filled < targets[at].length) continue;
      ++at;
      filled = 0;
    }
  }
}

// Places bytes into a list from this offset on. Requires room for them.
inline void PlaceInto(std::span<const Sge> targets, uint64_t offset,
                      std::span<const std::byte> bytes) {
  for (const Sge& target : targets) {
    if (offset >= target.length) {
      offset -= target.length;
      continue;
    }
    const uint64_t part = std::min<uint64_t>(target.length - offset, bytes.size());
    if (part > 0) PlaceBytes(target.addr + offset, bytes.data(), part);
    bytes = bytes.subspan(part);
    offset = 0;
    if (bytes.empty()) return;
  }
}

// Adds the ranges in which `length` bytes of a list from this offset on lie.
inline void Gather(std::span<const Sge> sources, uint64_t offset, uint64_t length,
                   std::vector<Sge>& ranges) {
  for (const Sge& source : sources) {
    if (length == 0) return;
    if (offset >= source.length) {
      offset -= source.length;
      continue;
    }
    const uint64_t part = std::min<uint64_t>(source.length - offset, length);
    ranges.push_back({source.addr + offset, static_cast<uint32_t>(part), source.lkey});
    length -= part;
    offset = 0;
  }
}

// What an atomic stores where it found this value.
inline uint64_t AtomicResult(WrOpcode opcode, uint64_t found, uint64_t compare_add, uint64_t swap) {
  if (opcode == WrOpcode::kAtomicFetchAndAdd) return found + compare_add;
  return found == compare_add ? swap : found;
}

inline uint64_t TotalLength(std::span<const Sge> sges) {
  uint64_t total = 0;
  for (const Sge& sge : sges) total += sge.length;
  return total;
}

}  // namespace fakenic
