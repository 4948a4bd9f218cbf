#include "wire/encoding.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "nic/opcode.h"
#include "nic/transfer.h"

namespace fakenic {
namespace {

constexpr uint32_t kMaxQpNumber = (1u << 24) - 1;

bool IsAnswerStatus(uint8_t status) {
  switch (static_cast<WcStatus>(status)) {
    case WcStatus::kSuccess:
    case WcStatus::kRemInvReqErr:
    case WcStatus::kRemAccessErr:
    case WcStatus::kRemOpErr:
    case WcStatus::kRnrRetryExcErr:
      return true;
    default:
      return false;
  }
}

// Whether the payload is the part of a message of this length that starts at this offset: full
// packets, but for the last one.
bool IsPart(uint64_t offset, uint32_t payload, uint64_t length) {
  if (length > kMaxMessage || offset > length) return false;
  return payload == std::min<uint64_t>(kMaxPayload, length - offset);
}

bool IsFlush(const PacketHeader& header) {
  return header.kind == PacketKind::kRequest &&
         static_cast<WrOpcode>(header.opcode) == WrOpcode::kFlush;
}

Flaw CheckRequest(const PacketHeader& header) {
  if (!IsKnown(static_cast<WrOpcode>(header.opcode))) return Flaw::kOpcode;
  const auto opcode = static_cast<WrOpcode>(header.opcode);
  if ((header.flags & ~(packet_flag::kSolicited | packet_flag::kFirst)) != 0) return Flaw::kFlags;
  if (header.status != 0 || header.cause != 0 || header.access != 0) return Flaw::kStatus;
  if (IsAtomic(opcode)) {
    return header.length == 8 && header.payload == 0 ? Flaw::kNone : Flaw::kLength;
  }
  if (header.offset != 0) return Flaw::kReserved;
  if (opcode == WrOpcode::kFlush) {
    if (!IsPossible(FlushOf(header))) return Flaw::kFlush;
    return header.length == 0 && header.payload == 0 ? Flaw::kNone : Flaw::kLength;
  }
  if (header.swap != 0) return Flaw::kReserved;
  const bool data = !IsAnsweredWithData(opcode);
  const bool fits = data ? IsPart(0, header.payload, header.length)
                         : header.payload == 0 && header.length <= kMaxMessage;
  return fits ? Flaw::kNone : Flaw::kLength;
}

Flaw CheckMore(const PacketHeader& header) {
  if (!IsKnown(static_cast<WrOpcode>(header.opcode))) return Flaw::kOpcode;
  const bool data = !IsAnsweredWithData(static_cast<WrOpcode>(header.opcode));
  if (!data || header.payload == 0 || header.offset == 0) return Flaw::kLength;
  return IsPart(header.offset, header.payload, header.length) ? Flaw::kNone : Flaw::kLength;
}

Flaw CheckAnswer(const PacketHeader& header) {
  if (!IsAnswerStatus(header.status)) return Flaw::kStatus;
  if (header.cause > static_cast<uint8_t>(Cause::kCutShort)) return Flaw::kStatus;
  if (header.access > static_cast<uint8_t>(AccessVerdict::kOutOfRange)) return Flaw::kStatus;
  if (header.status != 0) return header.payload == 0 ? Flaw::kNone : Flaw::kLength;
  return IsPart(header.offset, header.payload, header.length) ? Flaw::kNone : Flaw::kLength;
}

Flaw CheckHeader(const PacketHeader& header) {
  if (!IsFlush(header) && (header.flush_types != 0 || header.flush_level != 0)) {
    return Flaw::kReserved;
  }
  if (header.from_qp > kMaxQpNumber || header.to_qp > kMaxQpNumber) return Flaw::kQpNumber;
  switch (header.kind) {
    case PacketKind::kRequest:
      return CheckRequest(header);
    case PacketKind::kRequestMore:
      return CheckMore(header);
    case PacketKind::kAnswer:
      return CheckAnswer(header);
    case PacketKind::kNotReady:
    case PacketKind::kResume:
      return header.payload == 0 ? Flaw::kNone : Flaw::kLength;
    case PacketKind::kConnection:
      return header.payload == sizeof(EncodedConnection) ? Flaw::kNone : Flaw::kConnection;
  }
  return Flaw::kKind;
}

EncodedAddress EncodeAddress(const Address& address) {
  EncodedAddress encoded{};
  encoded.port = address.port();
  if (address.family() == AF_INET) {
    encoded.family = 4;
    const auto* in = reinterpret_cast<const sockaddr_in*>(address.get());
    std::memcpy(encoded.bytes, &in->sin_addr, sizeof in->sin_addr);
  } else if (address.family() == AF_INET6) {
    encoded.family = 6;
    const auto* in6 = reinterpret_cast<const sockaddr_in6*>(address.get());
    std::memcpy(encoded.bytes, &in6->sin6_addr, sizeof in6->sin6_addr);
  }
  return encoded;
}

// False for a family that is none.
bool DecodeAddress(const EncodedAddress& encoded, Address& address) {
  address = Address();
  if (encoded.family == 0) return true;
  if (encoded.family != 4 && encoded.family != 6) return false;
  address = Address::Of(encoded.bytes, encoded.family == 4 ? AF_INET : AF_INET6);
  address.set_port(encoded.port);
  return true;
}

size_t MostPrivateData(CmMessage::Kind kind) {
  switch (kind) {
    case CmMessage::Kind::kRequest:
      return private_data_size::kRequest;
    case CmMessage::Kind::kReply:
      return private_data_size::kReply;
    case CmMessage::Kind::kReject:
      return private_data_size::kReject;
    default:
      return 0;
  }
}

}  // namespace

const char* Describe(Flaw flaw) {
  constexpr const char* kTexts[] = {
      "none",
      "a record that ends before its length",
      "an unknown kind of packet",
      "an unknown operation",
      "unknown flags",
      "a status that no answer has",
      "a queue pair number of more than 24 bits",
      "a length that does not fit the operation",
      "unused fields that are not 0",
      "a malformed message of the connection manager",
      "a flush of an unknown type or level, or of more than 2^31 bytes",
  };
  return kTexts[static_cast<size_t>(flaw)];
}

uint64_t WriteRecord(std::byte* record, PacketHeader header, std::span<const Sge> payload) {
  auto* const bytes = reinterpret_cast<std::byte*>(&header);
  const size_t at = PayloadOffset(header.payload);
  std::byte* to = (at < sizeof header ? bytes : record) + at;
  for (const Sge& range : payload) {
    if (range.length == 0) continue;
    std::memcpy(to, reinterpret_cast<const void*>(range.addr), range.length);
    to += range.length;
  }
  uint64_t mark;
  std::memcpy(&mark, bytes, sizeof mark);
  std::memcpy(record + sizeof mark, bytes + sizeof mark, sizeof header - sizeof mark);
  return mark;
}

Flaw Decode(std::span<const std::byte> bytes, Packet& packet) {
  PacketHeader& header = packet.header;
  if (bytes.size() < sizeof header) return Flaw::kTruncated;
  std::memcpy(&header, bytes.data(), sizeof header);
  const size_t at = PayloadOffset(header.payload);
  if (header.payload > 0 && at < sizeof header) header.swap = 0;  // it was the payload
  if (const Flaw flaw = CheckHeader(header); flaw != Flaw::kNone) return flaw;
  if (bytes.size() < RecordSize(header.payload)) return Flaw::kTruncated;
  packet.payload = bytes.subspan(at, header.payload);
  return Flaw::kNone;
}

EncodedConnection Encode(const CmMessage& message) {
  EncodedConnection encoded{};
  encoded.kind = static_cast<uint8_t>(message.kind);
  encoded.responder_resources = message.param.responder_resources;
  encoded.initiator_depth = message.param.initiator_depth;
  encoded.flow_control = message.param.flow_control;
  encoded.retry_count = message.param.retry_count;
  encoded.rnr_retry_count = message.param.rnr_retry_count;
  encoded.srq = message.param.srq;
  encoded.private_size = static_cast<uint8_t>(message.param.private_data.size());
  encoded.from_serial = message.from.serial;
  encoded.to_serial = message.to.serial;
  encoded.qp_num = message.param.qp_num;
  encoded.psn = message.psn;
  encoded.ece_vendor_id = message.ece.vendor_id;
  encoded.ece_options = message.ece.options;
  encoded.reason = message.reason;
  encoded.port_space = message.port_space;
  encoded.src = EncodeAddress(message.src);
  encoded.dst = EncodeAddress(message.dst);
  std::copy(message.param.private_data.begin(), message.param.private_data.end(),
            encoded.private_data);
  return encoded;
}

std::optional<CmMessage> DecodeConnection(std::span<const std::byte> bytes) {
  EncodedConnection encoded;
  if (bytes.size() != sizeof encoded) return std::nullopt;
  std::memcpy(&encoded, bytes.data(), sizeof encoded);
  if (encoded.kind < 1 || encoded.kind > 6 || encoded.reserved != 0) return std::nullopt;
  CmMessage message;
  message.kind = static_cast<CmMessage::Kind>(encoded.kind);
  if (encoded.private_size > MostPrivateData(message.kind)) return std::nullopt;
  if (!DecodeAddress(encoded.src, message.src) || !DecodeAddress(encoded.dst, message.dst)) {
    return std::nullopt;
  }
  const bool request = message.kind == CmMessage::Kind::kRequest;
  if (request && (encoded.from_serial == 0 || !message.src.specified() ||
                  message.src.family() != message.dst.family())) {
    return std::nullopt;
  }
  message.param = {
      .private_data = {encoded.private_data, encoded.private_data + encoded.private_size},
      .responder_resources = encoded.responder_resources,
      .initiator_depth = encoded.initiator_depth,
      .flow_control = encoded.flow_control,
      .retry_count = std::min<uint8_t>(encoded.retry_count, 7),
      .rnr_retry_count = std::min<uint8_t>(encoded.rnr_retry_count, 7),
      .srq = encoded.srq,
      .qp_num = encoded.qp_num};
  message.from.serial = encoded.from_serial;
  message.to.serial = encoded.to_serial;
  message.psn = encoded.psn;
  message.ece = {encoded.ece_vendor_id, encoded.ece_options};
  message.reason = encoded.reason;
  message.port_space = encoded.port_space;
  return message;
}

}  // namespace fakenic
