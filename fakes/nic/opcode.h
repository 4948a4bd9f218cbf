// What each send operation does, as far as more than one place has to know.
#pragma once

#include <cstdint>

#include "nic/types.h"

namespace fakenic {

// The operations this NIC knows.
constexpr bool IsKnown(WrOpcode opcode) {
  constexpr uint32_t kKnown = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6 |
                              1u << 9 | 1u << 14 | 1u << 15;
  const auto bit = static_cast<uint32_t>(opcode);
  return bit < 32 && (kKnown >> bit & 1) != 0;
}

// The struct of ibv_post_send has no room for what it needs: it is put together by a builder.
constexpr bool NeedsBuilder(WrOpcode opcode) {
  return opcode == WrOpcode::kFlush || opcode == WrOpcode::kAtomicWrite;
}

// Its bytes go into the buffers of the receive that it consumes.
constexpr bool IsSend(WrOpcode opcode) {
  return opcode == WrOpcode::kSend || opcode == WrOpcode::kSendWithImm ||
         opcode == WrOpcode::kSendWithInv;
}

constexpr bool ConsumesReceive(WrOpcode opcode) {
  return IsSend(opcode) || opcode == WrOpcode::kRdmaWriteWithImm;
}

constexpr bool IsAtomic(WrOpcode opcode) {
  return opcode == WrOpcode::kAtomicCmpAndSwp || opcode == WrOpcode::kAtomicFetchAndAdd;
}

// Its answer carries bytes, which land in the requester's buffers.
constexpr bool IsAnsweredWithData(WrOpcode opcode) {
  return opcode == WrOpcode::kRdmaRead || IsAtomic(opcode);
}

// The right that the responder's queue pair and region must grant; 0 for sends.
constexpr uint32_t NeededAccess(WrOpcode opcode) {
  if (IsSend(opcode)) return 0;
  if (IsAtomic(opcode)) return access_flag::kRemoteAtomic;
  if (opcode == WrOpcode::kFlush) return access_flag::kFlush;  // at most
  return opcode == WrOpcode::kRdmaRead ? access_flag::kRemoteRead : access_flag::kRemoteWrite;
}

// The same for a flush of these types: a right for each.
constexpr uint32_t NeededAccess(const Flush& flush) { return uint32_t{flush.types} << 8; }
static_assert(NeededAccess(Flush{0, flush_type::kGlobal}) == access_flag::kFlushGlobal);
static_assert(NeededAccess(Flush{0, flush_type::kPersistent}) == access_flag::kFlushPersistent);

constexpr WcOpcode CompletionOpcode(WrOpcode opcode) {
  switch (opcode) {
    case WrOpcode::kSend:
    case WrOpcode::kSendWithImm:
    case WrOpcode::kSendWithInv:
      return WcOpcode::kSend;
    case WrOpcode::kRdmaWrite:
    case WrOpcode::kRdmaWriteWithImm:
      return WcOpcode::kRdmaWrite;
    case WrOpcode::kRdmaRead:
      return WcOpcode::kRdmaRead;
    case WrOpcode::kAtomicCmpAndSwp:
      return WcOpcode::kCompSwap;
    case WrOpcode::kAtomicFetchAndAdd:
      return WcOpcode::kFetchAdd;
    case WrOpcode::kFlush:
      return WcOpcode::kFlush;
    case WrOpcode::kAtomicWrite:
      return WcOpcode::kAtomicWrite;
  }
  return WcOpcode::kRdmaWrite;
}

}  // namespace fakenic
