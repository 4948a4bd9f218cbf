#include "nic/persistence.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

#include "nic/types.h"

namespace fakenic {
namespace {

constexpr uint32_t kFlow = 7, kOtherFlow = 8;

// 256 bytes of memory, all '.', that two queue pairs write to.
class PersistenceTest : public testing::Test {
 protected:
  PersistenceTest() { memory_.fill('.'); }

  uint64_t at(uint64_t offset) const {
    return reinterpret_cast<uintptr_t>(memory_.data()) + offset;
  }
  void Write(uint32_t flow, uint64_t offset, const std::string& bytes) {
    persistence_.BeforePlacing(flow, at(offset), bytes.size());
    std::memcpy(memory_.data() + offset, bytes.data(), bytes.size());
  }
  void Flush(uint32_t flow, uint64_t offset, uint64_t length) {
    persistence_.AfterFlush(flow, at(offset), length, flush_type::kPersistent);
  }
  std::string AfterPowerFailure(uint64_t offset, size_t size) {
    persistence_.FailPower();
    return {memory_.data() + offset, size};
  }

  alignas(64) std::array<char, 256> memory_;
  Persistence persistence_{Platform::kAdr};
};

TEST_F(PersistenceTest, EachByteGetsBackWhatItHeld) {
  Write(kFlow, 61, "abcdefgh");  // over the end of a line
  Write(kFlow, 63, "XY");

  EXPECT_FALSE(persistence_.Survives(at(0), 256));
  EXPECT_TRUE(persistence_.Survives(at(0), 61));
  EXPECT_TRUE(persistence_.Survives(at(69), 187));
  EXPECT_EQ(AfterPowerFailure(60, 10), "..........");
  EXPECT_TRUE(persistence_.Survives(at(0), 256)) << "nothing is lost twice";
}

TEST_F(PersistenceTest, AFlushKeepsItsRangeOnly) {
  Write(kFlow, 0, "abcdefgh");
  Flush(kFlow, 2, 3);

  EXPECT_TRUE(persistence_.Survives(at(2), 3));
  EXPECT_FALSE(persistence_.Survives(at(2), 4));
  EXPECT_EQ(AfterPowerFailure(0, 8), "..cde...");
}

TEST_F(PersistenceTest, WhatWasPersistentIsWhatALaterFailureReturnsTo) {
  Write(kFlow, 0, "old");
  persistence_.AfterRead(kFlow);
  Write(kFlow, 0, "new");

  EXPECT_EQ(AfterPowerFailure(0, 4), "old.");
}

TEST_F(PersistenceTest, AQueuePairMakesNothingOfAnothersPersistent) {
  Write(kFlow, 0, "abcd");
  Write(kOtherFlow, 8, "efgh");

  Flush(kOtherFlow, 0, 256);
  persistence_.AfterRead(kOtherFlow);

  EXPECT_EQ(AfterPowerFailure(0, 12), "........efgh");
}

TEST_F(PersistenceTest, OfBytesThatBothWroteEitherMakesTheLastPersistent) {
  Write(kFlow, 0, "aaaa");
  Write(kOtherFlow, 2, "bbbb");

  Flush(kFlow, 0, 256);

  EXPECT_EQ(AfterPowerFailure(0, 6), "aabb..");
}

TEST_F(PersistenceTest, TheProcessorWritesBackWhoeverWrote) {
  Write(kFlow, 0, "abcd");
  Write(kOtherFlow, 4, "efgh");

  persistence_.WriteBack(at(2), 4);

  EXPECT_EQ(AfterPowerFailure(0, 8), "..cdef..");
}

TEST_F(PersistenceTest, RangesAtTheEndOfTheAddressSpaceAreEmpty) {
  Write(kFlow, 0, "abcd");

  EXPECT_TRUE(persistence_.Survives(UINT64_MAX - 5, UINT64_MAX));
  EXPECT_FALSE(persistence_.Survives(0, UINT64_MAX));
  persistence_.WriteBack(at(4), UINT64_MAX);
  EXPECT_FALSE(persistence_.Survives(at(0), 4));
}

struct PlatformRow {
  Platform platform;
  bool read, global, persistent;  // whether these make a write persistent
};

TEST(Platforms, AreNamedAndSayWhatMakesAWritePersistent) {
  constexpr PlatformRow kRows[] = {{Platform::kAdr, true, true, true},
                                   {Platform::kAdrDdio, false, false, true},
                                   {Platform::kEadr, true, true, true}};
  for (const PlatformRow& row : kRows) {
    EXPECT_EQ(FindPlatform(NameOf(row.platform)), row.platform);
    char byte = 0;
    const auto addr = reinterpret_cast<uintptr_t>(&byte);
    const auto persists = [&](auto&& how) {
      Persistence persistence(row.platform);
      persistence.BeforePlacing(kFlow, addr, 1);
      how(persistence);
      return persistence.Survives(addr, 1);
    };
    EXPECT_EQ(persists([](auto& p) { p.AfterRead(kFlow); }), row.read);
    EXPECT_EQ(persists([&](auto& p) { p.AfterFlush(kFlow, addr, 1, 1); }), row.global);
    EXPECT_EQ(persists([&](auto& p) { p.AfterFlush(kFlow, addr, 1, 2); }), row.persistent);
    EXPECT_EQ(persists([&](auto& p) { p.AfterFlush(kFlow, addr, 1, 3); }), row.persistent);
    EXPECT_FALSE(persists([](auto&) {}));
  }
  EXPECT_EQ(FindPlatform("ADR"), std::nullopt);
}

}  // namespace
}  // namespace fakenic
