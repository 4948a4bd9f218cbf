#include "wire/encoding.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "nic/opcode.h"

namespace fakenic {
namespace {

std::vector<std::byte> Bytes(const PacketHeader& header) {
  std::vector<std::byte> bytes(RecordSize(header.payload));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

Flaw FlawOf(const PacketHeader& header) {
  Packet packet;
  return Decode(Bytes(header), packet);
}

// A payload of these bytes, as its writer makes the record and its reader finds it.
class EncodingOfAPayload : public testing::TestWithParam<uint32_t> {};

TEST_P(EncodingOfAPayload, IsReadAsItWasWritten) {
  const uint32_t size = GetParam();
  const PacketHeader header{.kind = PacketKind::kRequest,
                            .opcode = 3,
                            .flags = packet_flag::kFirst,
                            .payload = size,
                            .from_qp = 0x11,
                            .to_qp = 0xffffff,
                            .sequence = 7,
                            .key = 0x100,
                            .imm_data = 9,
                            .addr = 0x1234,
                            .length = size};
  const std::string text(size, 'x');
  std::vector<std::byte> record(RecordSize(size));
  const Sge range{reinterpret_cast<uintptr_t>(text.data()), size, 0};
  const uint64_t mark = WriteRecord(record.data(), header, std::span(&range, 1));
  std::memcpy(record.data(), &mark, sizeof mark);
  Packet packet;

  ASSERT_EQ(Decode(record, packet), Flaw::kNone);
  EXPECT_EQ(std::memcmp(&packet.header, &header, sizeof header), 0);
  ASSERT_EQ(packet.payload.size(), size);
  EXPECT_EQ(std::memcmp(packet.payload.data(), text.data(), size), 0);
}

INSTANTIATE_TEST_SUITE_P(All, EncodingOfAPayload, testing::Values(0, 1, 8, 9, 64, kMaxPayload));

TEST(Encoding, AShortPayloadTravelsInTheCacheLineOfItsHeader) {
  EXPECT_EQ(RecordSize(0), kRecordUnit);
  EXPECT_EQ(RecordSize(8), kRecordUnit);
  EXPECT_EQ(RecordSize(9), 2 * kRecordUnit);
}

TEST(Encoding, TheOperandOfAnAtomicIsNoPayload) {
  const PacketHeader header{.opcode = static_cast<uint8_t>(WrOpcode::kAtomicCmpAndSwp),
                            .length = 8,
                            .offset = 1,
                            .swap = 2};
  Packet packet;
  ASSERT_EQ(Decode(Bytes(header), packet), Flaw::kNone);
  EXPECT_EQ(packet.header.swap, 2u);
  EXPECT_TRUE(packet.payload.empty());
}

struct Malformed {
  const char* name;
  Flaw flaw;
  PacketHeader header;
};

class EncodingRefuses : public testing::TestWithParam<Malformed> {};

TEST_P(EncodingRefuses, IsNamed) { EXPECT_EQ(FlawOf(GetParam().header), GetParam().flaw); }

constexpr auto kRead = static_cast<uint8_t>(WrOpcode::kRdmaRead);
constexpr auto kAtomic = static_cast<uint8_t>(WrOpcode::kAtomicFetchAndAdd);
constexpr auto kFlush = static_cast<uint8_t>(WrOpcode::kFlush);

INSTANTIATE_TEST_SUITE_P(
    All, EncodingRefuses,
    testing::Values(
        Malformed{"NoKind", Flaw::kKind, {.kind = PacketKind{}}},
        Malformed{"UnknownKind", Flaw::kKind, {.kind = static_cast<PacketKind>(7)}},
        Malformed{"UnknownOperation", Flaw::kOpcode, {.opcode = 7}},
        Malformed{"UnknownFlag", Flaw::kFlags, {.flags = 4}},
        Malformed{"RequestWithAStatus", Flaw::kStatus, {.status = 1}},
        Malformed{"FlushTypesOfAWrite", Flaw::kReserved, {.flush_types = 1}},
        Malformed{"FlushLevelOfAnAnswer",
                  Flaw::kReserved,
                  {.kind = PacketKind::kAnswer, .flush_level = 1}},
        Malformed{"FlushOfNoType", Flaw::kFlush, {.opcode = kFlush}},
        Malformed{"FlushOfAnUnknownType", Flaw::kFlush, {.opcode = kFlush, .flush_types = 4}},
        Malformed{"FlushOfAnUnknownLevel",
                  Flaw::kFlush,
                  {.opcode = kFlush, .flush_types = 1, .flush_level = 2}},
        Malformed{"FlushOfTooMuch",
                  Flaw::kFlush,
                  {.opcode = kFlush, .flush_types = 1, .swap = (1ull << 31) + 1}},
        Malformed{"FlushWithBytes",
                  Flaw::kLength,
                  {.opcode = kFlush, .payload = 8, .flush_types = 1, .length = 8}},
        Malformed{"FlushWithAnOffset",
                  Flaw::kReserved,
                  {.opcode = kFlush, .flush_types = 1, .offset = 1}},
        Malformed{"SwapOfAWrite", Flaw::kReserved, {.swap = 1}},
        Malformed{"LongQpNumber", Flaw::kQpNumber, {.to_qp = 1u << 24}},
        Malformed{"MoreThanAPacket",
                  Flaw::kLength,
                  {.payload = kMaxPayload + 1, .length = kMaxPayload + 1}},
        Malformed{"LessThanAPacket", Flaw::kLength, {.payload = 4, .length = 5}},
        Malformed{"TooLong", Flaw::kLength, {.payload = kMaxPayload, .length = (1ull << 31) + 1}},
        Malformed{"ReadWithBytes", Flaw::kLength, {.opcode = kRead, .payload = 8, .length = 8}},
        Malformed{"ReadOfTooMuch", Flaw::kLength, {.opcode = kRead, .length = (1ull << 31) + 1}},
        Malformed{"ShortAtomic", Flaw::kLength, {.opcode = kAtomic, .length = 4}},
        Malformed{"MoreFromTheStart",
                  Flaw::kLength,
                  {.kind = PacketKind::kRequestMore, .payload = 8, .length = 8}},
        Malformed{"MoreBeyondTheEnd",
                  Flaw::kLength,
                  {.kind = PacketKind::kRequestMore, .payload = 8, .length = 8, .offset = 16}},
        Malformed{"MoreOfARead",
                  Flaw::kLength,
                  {.kind = PacketKind::kRequestMore,
                   .opcode = kRead,
                   .payload = 8,
                   .length = 16,
                   .offset = 8}},
        Malformed{"AnswerOfNoStatus", Flaw::kStatus, {.kind = PacketKind::kAnswer, .status = 5}},
        Malformed{"AnswerOfNoCause", Flaw::kStatus, {.kind = PacketKind::kAnswer, .cause = 99}},
        Malformed{"FailureWithBytes",
                  Flaw::kLength,
                  {.kind = PacketKind::kAnswer, .status = 9, .payload = 8, .length = 8}},
        Malformed{"ResumeWithBytes", Flaw::kLength, {.kind = PacketKind::kResume, .payload = 8}},
        Malformed{
            "ShortConnection", Flaw::kConnection, {.kind = PacketKind::kConnection, .payload = 8}}),
    [](const auto& test) { return test.param.name; });

TEST(Encoding, ARecordThatEndsEarlyIsTruncated) {
  const PacketHeader header{.payload = 9, .length = 9};
  const auto bytes = Bytes(header);
  Packet packet;
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(Decode(std::span(bytes).first(size), packet), Flaw::kTruncated) << size;
  }
}

CmMessage Request() {
  CmMessage message{.kind = CmMessage::Kind::kRequest};
  message.from.serial = 3;
  message.param.private_data = {1, 2, 3};
  message.param.qp_num = 0x11;
  message.port_space = 0x106;
  message.src = Address::Parse("10.0.0.1");
  message.dst = Address::Parse("10.0.0.2");
  message.dst.set_port(7471);
  return message;
}

std::optional<CmMessage> ThereAndBack(const EncodedConnection& encoded) {
  return DecodeConnection(std::as_bytes(std::span(&encoded, 1)));
}

TEST(EncodedConnection, IsReadAsItWasWritten) {
  const auto message = ThereAndBack(Encode(Request()));

  ASSERT_TRUE(message);
  EXPECT_EQ(message->from.serial, 3u);
  EXPECT_EQ(message->param.private_data, (std::vector<uint8_t>{1, 2, 3}));
  EXPECT_EQ(message->param.qp_num, 0x11u);
  EXPECT_EQ(message->dst.port(), 7471);
  EXPECT_TRUE(message->dst.SameHost(Address::Parse("10.0.0.2")));
}

TEST(EncodedConnection, AddressesOfBothFamiliesTravel) {
  CmMessage message = Request();
  message.src = Address::Parse("::1");
  message.dst = Address::Parse("fe80::2");
  EXPECT_TRUE(ThereAndBack(Encode(message))->dst.SameHost(message.dst));
}

TEST(EncodedConnection, WhatNoManagerSendsIsRefused) {
  const auto refused = [](void (*spoil)(EncodedConnection&)) {
    EncodedConnection encoded = Encode(Request());
    spoil(encoded);
    return !ThereAndBack(encoded);
  };
  EXPECT_TRUE(refused([](auto& e) { e.kind = 0; }));
  EXPECT_TRUE(refused([](auto& e) { e.kind = 7; }));
  EXPECT_TRUE(refused([](auto& e) { e.private_size = 57; }));
  EXPECT_TRUE(refused([](auto& e) { e.from_serial = 0; }));
  EXPECT_TRUE(refused([](auto& e) { e.src.family = 5; }));
  EXPECT_TRUE(refused([](auto& e) { e.src.family = 6; }));
  EXPECT_TRUE(refused([](auto& e) { e.reserved = 1; }));
  EXPECT_FALSE(DecodeConnection({})) << "of another size";
}

}  // namespace
}  // namespace fakenic
