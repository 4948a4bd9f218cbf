// What lies in a ring, and how it is read: by somebody who trusts no byte of it.
//
// A record is a PacketHeader and its payload, padded to whole units of the ring. A payload of up to
// 8 bytes lies in the header, in `swap`, which no packet with a payload uses. The header's first
// word is the mark. Everything is little-endian, as this machine is.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "cm/cm_message.h"
#include "nic/packet.h"
#include "wire/ring.h"

namespace fakenic {

static_assert(std::endian::native == std::endian::little);

// Where in its record the payload begins.
constexpr size_t PayloadOffset(uint32_t payload) {
  return payload <= sizeof PacketHeader::swap ? offsetof(PacketHeader, swap) : sizeof(PacketHeader);
}

constexpr size_t RecordSize(uint32_t payload) {
  return (PayloadOffset(payload) + payload + kRecordUnit - 1) / kRecordUnit * kRecordUnit;
}
inline constexpr size_t kMaxRecord = RecordSize(kMaxPayload);

struct Packet {
  PacketHeader header;
  std::span<const std::byte> payload;
};

// Why a record cannot be what a fabric sends; kNone if it can.
enum class Flaw : uint8_t {
  kNone,
  kTruncated,
  kKind,
  kOpcode,
  kFlags,
  kStatus,
  kQpNumber,
  kLength,
  kReserved,
  kConnection,
  kFlush,
};
const char* Describe(Flaw flaw);

// Writes a record but for its mark, which it returns; header.payload bytes are gathered from these
// ranges. The header comes last, as a reader that waits looks at its cache line again and again.
uint64_t WriteRecord(std::byte* record, PacketHeader header, std::span<const Sge> payload);

// Reads the record at the start of these bytes. The header is copied before it is looked at, as its
// writer may change it meanwhile.
Flaw Decode(std::span<const std::byte> bytes, Packet& packet);

// A message of the RDMA CM, as the payload of a kConnection packet. What identifies processes is
// left to the link: from.process is not in it.
struct EncodedAddress {
  uint16_t family;  // 4, 6, or 0 for none
  uint16_t port;    // host order
  uint8_t bytes[16];
};

struct EncodedConnection {
  uint8_t kind;
  uint8_t responder_resources;
  uint8_t initiator_depth;
  uint8_t flow_control;
  uint8_t retry_count;
  uint8_t rnr_retry_count;
  uint8_t srq;
  uint8_t private_size;
  uint64_t from_serial;
  uint64_t to_serial;
  uint32_t qp_num;
  uint32_t psn;
  uint32_t ece_vendor_id;
  uint32_t ece_options;
  int32_t reason;
  int32_t port_space;
  EncodedAddress src;
  EncodedAddress dst;
  uint8_t private_data[private_data_size::kReply];
  uint32_t reserved;
};
static_assert(sizeof(EncodedConnection) == 288);

EncodedConnection Encode(const CmMessage& message);
std::optional<CmMessage> DecodeConnection(std::span<const std::byte> bytes);

}  // namespace fakenic
