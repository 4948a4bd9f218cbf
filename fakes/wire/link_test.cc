// Two ends of a link in one process, and the ring between them.
#include "wire/link.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cstring>
#include <thread>

namespace fakenic {
namespace {

class LinkTest : public testing::Test {
 protected:
  LinkTest() {
    int sockets[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), 0);
    std::string why;
    File memory;
    auto made = SharedRings::Create(memory, why);
    EXPECT_TRUE(made) << why;
    auto adopted = SharedRings::Adopt(memory, why);
    EXPECT_TRUE(adopted) << why;
    a_control_ = made->control(0);
    a_bytes_ = made->bytes(0);
    a_ = Link::Make(std::move(*made), File(sockets[0]));
    b_ = Link::Adopt(std::move(*adopted), File(sockets[1]), File(dup(a_bell_.get())));
  }

  static PacketHeader Write(uint32_t length) { return {.payload = length, .length = length}; }

  bool SendBytes(Link& link, const std::string& text) {
    const Sge range{reinterpret_cast<uintptr_t>(text.data()), static_cast<uint32_t>(text.size()),
                    0};
    return link.Send(Write(range.length), std::span(&range, 1));
  }

  static std::vector<std::string> Drain(Link& link) {
    std::vector<std::string> all;
    link.Drain([&](const Packet& packet) {
      all.emplace_back(reinterpret_cast<const char*>(packet.payload.data()), packet.payload.size());
      return Flaw::kNone;
    });
    return all;
  }

  static Flaw TakeNothing(const Packet&) {
    ADD_FAILURE() << "a packet was taken";
    return Flaw::kNone;
  }

  static bool Rings(const File& bell) {
    pollfd readable{bell.get(), POLLIN, 0};
    if (poll(&readable, 1, 0) == 0) return false;
    uint64_t count;
    return read(bell.get(), &count, sizeof count) == sizeof count;
  }

  File a_bell_{eventfd(0, EFD_NONBLOCK)}, b_bell_{eventfd(0, EFD_NONBLOCK)};
  std::unique_ptr<Link> a_, b_;
  RingControl* a_control_ = nullptr;  // of the ring that a writes
  std::byte* a_bytes_ = nullptr;
};

TEST_F(LinkTest, PacketsComeInOrderBothWays) {
  SendBytes(*a_, "one");
  SendBytes(*a_, "");
  SendBytes(*b_, "back");

  EXPECT_EQ(Drain(*b_), (std::vector<std::string>{"one", ""}));
  EXPECT_EQ(Drain(*a_), (std::vector<std::string>{"back"}));
  EXPECT_TRUE(a_->empty());
}

TEST_F(LinkTest, TheRingTurnsManyTimesWithoutASeam) {
  for (int i = 0; i < 2000; ++i) {
    const std::string text(static_cast<size_t>(i * 37 % 16384), static_cast<char>('a' + i % 26));
    ASSERT_TRUE(SendBytes(*a_, text));
    ASSERT_EQ(Drain(*b_), std::vector<std::string>{text}) << i;
  }
}

TEST_F(LinkTest, WithoutRoomNothingIsSentAndTheReaderRingsWhenThereIsSome) {
  const std::string text(kMaxPayload, 'x');
  size_t sent = 0;
  while (SendBytes(*a_, text)) ++sent;
  EXPECT_EQ(sent, kRingBytes / kMaxRecord);
  EXPECT_FALSE(Rings(a_bell_));

  EXPECT_EQ(Drain(*b_).size(), sent);

  EXPECT_TRUE(Rings(a_bell_));
  EXPECT_TRUE(SendBytes(*a_, text));
}

TEST_F(LinkTest, OnlyAReaderThatSleepsIsWoken) {
  SendBytes(*b_, "awake");
  EXPECT_FALSE(Rings(a_bell_));
  EXPECT_FALSE(a_->FallAsleep()) << "something has come";
  Drain(*a_);
  EXPECT_TRUE(a_->FallAsleep());

  SendBytes(*b_, "wakes");
  SendBytes(*b_, "need not wake again");

  EXPECT_TRUE(Rings(a_bell_));
}

TEST_F(LinkTest, ADoorbellThatComesLaterRingsForWhatWasSentBefore) {
  EXPECT_TRUE(b_->FallAsleep());
  SendBytes(*a_, "before");
  EXPECT_FALSE(Rings(b_bell_));

  a_->SetDoorbell(File(dup(b_bell_.get())));

  EXPECT_TRUE(Rings(b_bell_));
}

TEST_F(LinkTest, AMalformedRecordEndsTheLinkWithAReason) {
  SendBytes(*a_, "good");
  PacketHeader bad = Write(0);
  bad.opcode = 77;
  a_->Send(bad, {});
  SendBytes(*a_, "never read");

  size_t taken = 0;
  EXPECT_FALSE(b_->Drain([&](const Packet&) {
    ++taken;
    return Flaw::kNone;
  }));
  EXPECT_EQ(taken, 1u);
  EXPECT_EQ(b_->reason(), "an unknown operation");
}

TEST_F(LinkTest, APayloadThatItsReaderRefusesEndsTheLinkWithAReason) {
  SendBytes(*a_, "refused");
  SendBytes(*a_, "never read");

  size_t taken = 0;
  EXPECT_FALSE(b_->Drain([&](const Packet&) {
    ++taken;
    return Flaw::kConnection;
  }));
  EXPECT_EQ(taken, 1u);
  EXPECT_EQ(b_->reason(), "a malformed message of the connection manager");
}

TEST_F(LinkTest, ARecordThatIsLongerThanTheRingEndsTheLink) {
  const PacketHeader header{.kind = PacketKind::kResume, .payload = 2 * kRingBytes};
  std::memcpy(a_bytes_, &header, sizeof header);
  EXPECT_FALSE(b_->Drain(TakeNothing));
  EXPECT_EQ(b_->reason(), "a length that does not fit the operation");
}

// Its payload has what a header has, where a later and shorter record ends.
TEST_F(LinkTest, WhatLiesInTheRingFromAnEarlierTurnIsNoRecord) {
  const PacketHeader header = Write(0);
  std::string text;
  while (text.size() < kMaxPayload) text.append(reinterpret_cast<const char*>(&header), 64);
  for (int i = 0; i < 40; ++i) {
    SendBytes(*a_, text);
    Drain(*b_);
  }
  for (size_t size = 0; size < 3 * kRingBytes / kRecordUnit; ++size) {
    const std::string shorter(size % 200, 'x');
    ASSERT_TRUE(SendBytes(*a_, shorter));
    ASSERT_EQ(Drain(*b_), std::vector<std::string>{shorter}) << size;
  }
}

TEST_F(LinkTest, AReaderThatLiesAboutItsPositionGainsNoRoom) {
  const std::string text(kMaxPayload, 'x');
  while (SendBytes(*a_, text)) {
  }
  a_control_->read = UINT64_MAX;
  EXPECT_FALSE(SendBytes(*a_, text));
}

TEST_F(LinkTest, AWriterAndAReaderThatRunAtOnceLoseNothing) {
  constexpr int kPackets = 20000;
  std::thread writer([&] {
    for (int i = 0; i < kPackets;) i += SendBytes(*a_, std::to_string(i)) ? 1 : 0;
  });
  int next = 0;
  while (next < kPackets) {
    for (const std::string& text : Drain(*b_)) ASSERT_EQ(text, std::to_string(next++));
  }
  writer.join();
}

TEST(SharedRingsTest, MemoryThatCouldShrinkIsRefused) {
  std::string why;
  const File file(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  EXPECT_FALSE(SharedRings::Adopt(file, why));
  EXPECT_EQ(why, "the memory could change its size");
}

TEST(SharedRingsTest, MemoryOfAnotherSizeIsRefused) {
  std::string why;
  const File file(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(ftruncate(file.get(), 4096), 0);
  fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  EXPECT_FALSE(SharedRings::Adopt(file, why));
  EXPECT_EQ(why.substr(0, 26), "the memory has 4096 bytes,");
}

}  // namespace
}  // namespace fakenic
