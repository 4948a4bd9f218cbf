// The checks that a message passes and the placement of its bytes. The eager path and the stepped
// schedules share them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "nic/device.h"
#include "nic/qp.h"
#include "nic/types.h"
#include "nic/verdict.h"

namespace fakenic {

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

// The responder's checks, in a NIC's order: the operation as such, then the key and the range. No
// key is looked at for an empty write. *mr is the target region when the verdict is ok and length
// is not 0.
inline Verdict CheckTarget(const Device& device, const Qp& responder, WrOpcode opcode,
                           uint64_t addr, uint32_t rkey, uint64_t length, const Mr** mr) {
  const uint32_t right =
      opcode == WrOpcode::kRdmaRead ? access_flag::kRemoteRead : access_flag::kRemoteWrite;
  if ((responder.attr().access_flags & right) == 0) [[unlikely]] {
    return {WcStatus::kRemInvReqErr, Cause::kQpAccess, {}, rkey, addr, length};
  }
  if (opcode == WrOpcode::kAtomicWrite) {
    if (length != 8) return {WcStatus::kRemInvReqErr, Cause::kAtomicLength, {}, rkey, addr, length};
    if (addr % 8 != 0)
      return {WcStatus::kRemInvReqErr, Cause::kAtomicAlign, {}, rkey, addr, length};
  }
  if (opcode == WrOpcode::kRdmaRead && responder.attr().max_dest_rd_atomic == 0) {
    return {WcStatus::kRemInvReqErr, Cause::kNoReadResources, {}, rkey, addr, length};
  }
  if (length == 0) return {};
  *mr = device.FindMr(rkey);
  const AccessVerdict access = CheckAccess(*mr, responder.pd(), right, addr, length);
  if (access != AccessVerdict::kAllowed) [[unlikely]] {
    return {WcStatus::kRemAccessErr, Cause::kRemoteKey, access, rkey, addr, length};
  }
  return {};
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

inline uint64_t TotalLength(std::span<const Sge> sges) {
  uint64_t total = 0;
  for (const Sge& sge : sges) total += sge.length;
  return total;
}

inline WcOpcode CompletionOpcode(WrOpcode opcode) {
  switch (opcode) {
    case WrOpcode::kRdmaWrite:
      return WcOpcode::kRdmaWrite;
    case WrOpcode::kRdmaRead:
      return WcOpcode::kRdmaRead;
    case WrOpcode::kAtomicWrite:
      return WcOpcode::kAtomicWrite;
  }
  return WcOpcode::kRdmaWrite;
}

}  // namespace fakenic
