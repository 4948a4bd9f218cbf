// What two fabrics say to each other about the messages of their queue pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nic/types.h"
#include "nic/verdict.h"

namespace fakenic {

enum class PacketKind : uint8_t {
  kRequest = 1,      // a message, with the first of its bytes
  kRequestMore = 2,  // further bytes of it
  kAnswer = 3,       // of a read or an atomic with bytes, else what the responder found
  kNotReady = 4,     // the message found no receive; what comes after it is dropped
  kResume = 5,       // the responder takes messages again, from this one on
  kConnection = 6,   // a message of the RDMA CM; only payload and kind are of use
};

// Sent as it lies in memory. What a kind does not use is 0.
struct PacketHeader {
  PacketKind kind = PacketKind::kRequest;
  uint8_t opcode = 0;  // WrOpcode
  uint8_t flags = 0;
  uint8_t status = 0;    // WcStatus, of an answer
  uint32_t payload = 0;  // bytes that follow
  uint32_t from_qp = 0;
  uint32_t to_qp = 0;
  uint32_t sequence = 0;  // of the message, among those of its queue pair
  uint32_t key = 0;       // the rkey; of an answer the key of the verdict; the RNR timer
  uint32_t imm_data = 0;
  uint8_t cause = 0;   // Cause, of an answer
  uint8_t access = 0;  // AccessVerdict, of an answer
  uint8_t flush_types = 0;
  uint8_t flush_level = 0;
  uint64_t addr = 0;    // the target; of an answer that of the verdict
  uint64_t length = 0;  // of the whole message; of a failed answer that of the verdict
  uint64_t offset = 0;  // of the payload in the message; of an atomic what to compare or add
  uint64_t swap = 0;    // of an atomic; of a flush the length of its range

  bool has(uint8_t flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(PacketHeader) == 64);

namespace packet_flag {
inline constexpr uint8_t kSolicited = 1;
inline constexpr uint8_t kFirst = 2;  // no message before it waits for an answer
}  // namespace packet_flag

// So many bytes of a message travel in one packet, so that both ends copy at the same time.
inline constexpr uint32_t kMaxPayload = 16384;

// The way to queue pairs and connections that are elsewhere.
class Remote {
 public:
  virtual ~Remote() = default;

  // A queue pair has a peer elsewhere, from which something may come from now on.
  virtual void Expect() {}
  // Sends to whom header.to_qp belongs; header.payload bytes are gathered from these ranges. False
  // if that is not possible now: Fabric::SendAgain() is due when it may be.
  virtual bool Send(const PacketHeader& header, std::span<const Sge> payload) = 0;
  // Whether the process of this queue pair has not come to look at what was sent to it, though
  // nothing but a busy machine keeps it from running.
  virtual bool IsStarved(uint32_t /*qp_num*/) { return false; }
};

// What a flush asks for, in its request.
inline void SetFlush(const Flush& flush, PacketHeader& header) {
  header.flush_types = flush.types;
  header.flush_level = flush.level;
  header.swap = flush.length;
}

inline Flush FlushOf(const PacketHeader& header) {
  return {header.swap, header.flush_types, header.flush_level};
}

// What the responder found, as an answer tells it.
inline void SetVerdict(const Verdict& verdict, PacketHeader& header) {
  header.status = static_cast<uint8_t>(verdict.status);
  header.cause = static_cast<uint8_t>(verdict.cause);
  header.access = static_cast<uint8_t>(verdict.access);
  header.key = verdict.key;
  header.addr = verdict.addr;
  header.length = verdict.length;
}

inline Verdict VerdictOf(const PacketHeader& header) {
  return {static_cast<WcStatus>(header.status),
          static_cast<Cause>(header.cause),
          static_cast<AccessVerdict>(header.access),
          header.key,
          header.addr,
          header.length};
}

}  // namespace fakenic
