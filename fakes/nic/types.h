// The words of the verbs interface that the model speaks. Values are those of the C interface, so
// that the edge can cast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fakenic {

enum class WcStatus : uint32_t {
  kSuccess = 0,
  kLocLenErr = 1,
  kLocQpOpErr = 2,
  kLocProtErr = 4,
  kWrFlushErr = 5,
  kLocAccessErr = 8,
  kRemInvReqErr = 9,
  kRemAccessErr = 10,
  kRemOpErr = 11,
  kRetryExcErr = 12,
  kRnrRetryExcErr = 13,
};

enum class WcOpcode : uint32_t {
  kSend = 0,
  kRdmaWrite = 1,
  kRdmaRead = 2,
  kCompSwap = 3,
  kFetchAdd = 4,
  kFlush = 8,
  kAtomicWrite = 9,
  kRecv = 128,
  kRecvRdmaWithImm = 129,
};

enum class WrOpcode : uint32_t {
  kRdmaWrite = 0,
  kRdmaWriteWithImm = 1,
  kSend = 2,
  kSendWithImm = 3,
  kRdmaRead = 4,
  kAtomicCmpAndSwp = 5,
  kAtomicFetchAndAdd = 6,
  kSendWithInv = 9,
  kFlush = 14,
  kAtomicWrite = 15,
};

namespace send_flag {
inline constexpr uint32_t kFence = 1;
inline constexpr uint32_t kSignaled = 2;
inline constexpr uint32_t kSolicited = 4;
inline constexpr uint32_t kInline = 8;
}  // namespace send_flag

namespace wc_flag {
inline constexpr uint32_t kWithImm = 2;
inline constexpr uint32_t kWithInv = 8;
}  // namespace wc_flag

namespace access_flag {
inline constexpr uint32_t kLocalWrite = 1;
inline constexpr uint32_t kRemoteWrite = 2;
inline constexpr uint32_t kRemoteRead = 4;
inline constexpr uint32_t kRemoteAtomic = 8;
inline constexpr uint32_t kMwBind = 0x10;
inline constexpr uint32_t kOnDemand = 0x40;
inline constexpr uint32_t kFlushGlobal = 0x100;
inline constexpr uint32_t kFlushPersistent = 0x200;
inline constexpr uint32_t kFlush = kFlushGlobal | kFlushPersistent;
inline constexpr uint32_t kRelaxedOrdering = 1u << 20;
inline constexpr uint32_t kOptional = 0x3ff00000;  // may be dropped by a device that lacks them
}  // namespace access_flag

enum class AsyncEventType : uint32_t {
  kCqErr = 0,
  kQpFatal = 1,
  kQpReqErr = 2,
  kQpAccessErr = 3,
  kCommEst = 4,
  kSqDrained = 5,
  kDeviceFatal = 8,
  kSrqLimitReached = 15,
  kQpLastWqeReached = 16,
};

// Laid out as the C interface has it, and allowed to look at a program's own list.
struct [[gnu::may_alias]] Sge {
  uint64_t addr;
  uint32_t length;
  uint32_t lkey;
};

namespace flush_type {
inline constexpr uint8_t kGlobal = 1;
inline constexpr uint8_t kPersistent = 2;
}  // namespace flush_type

namespace flush_level {
inline constexpr uint8_t kRange = 0;
inline constexpr uint8_t kMr = 1;  // the whole region; the range is of no account
}  // namespace flush_level

// What a flush asks for, beside the address where its range begins.
struct Flush {
  uint64_t length = 0;  // of the range
  uint8_t types = 0;
  uint8_t level = flush_level::kRange;
};

// One send work request, as posted. The sge list is borrowed for the duration of the post.
struct SendWr {
  uint64_t wr_id;
  WrOpcode opcode;
  uint32_t flags;
  std::span<const Sge> sges;
  uint64_t remote_addr;
  uint32_t rkey;
  uint32_t imm_data = 0;     // or the rkey to invalidate; moved verbatim
  uint64_t compare_add = 0;  // of an atomic
  uint64_t swap = 0;
  Flush flush = {};

  bool has(uint32_t flag) const { return (flags & flag) != 0; }
};

// One receive work request; the list is borrowed.
struct RecvWr {
  uint64_t wr_id;
  std::span<const Sge> sges;
};

struct QpCap {
  uint32_t max_send_wr = 0;
  uint32_t max_recv_wr = 0;
  uint32_t max_send_sge = 0;
  uint32_t max_recv_sge = 0;
  uint32_t max_inline_data = 0;
};

class Qp;

// One entry of a completion queue.
struct Completion {
  uint64_t wr_id = 0;
  WcStatus status = WcStatus::kSuccess;
  WcOpcode opcode = WcOpcode::kRdmaWrite;
  uint32_t vendor_err = 0;
  uint32_t byte_len = 0;
  uint32_t imm_data = 0;
  uint32_t wc_flags = 0;
  uint32_t qp_num = 0;
  bool is_recv = false;
  bool solicited = false;   // of a receive: its message asked for an event
  Qp* qp = nullptr;         // whose queue slots polling this completion frees
  uint64_t slots_upto = 0;  // every slot posted before this position is free once polled
};

}  // namespace fakenic
