#include "nic/transfer.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace fakenic {
namespace {

TEST(Transfer, PlacesEachSgeBehindTheOther) {
  char source[8] = {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'};
  char target[8] = {};
  const auto at = [](char* p) { return reinterpret_cast<uint64_t>(p); };
  const std::array<Sge, 3> sges{{{at(source + 4), 4, 0}, {0, 0, 0}, {at(source), 2, 0}}};

  PlaceSges(at(target), sges);

  EXPECT_EQ(std::string(target, 6), "efghab");
  EXPECT_EQ(TotalLength(sges), 6u);
}

TEST(Transfer, SourceAndTargetMayOverlap) {
  char memory[] = "abcdefghijklmnop";

  PlaceBytes(reinterpret_cast<uint64_t>(memory + 1), memory, 12);

  EXPECT_STREQ(memory, "aabcdefghijklnop");
}

TEST(Transfer, EmptySgesNeedNoKey) {
  const Device device;
  const Sge empty{0x1234, 0, 0xbad};

  EXPECT_TRUE(CheckLocal(device, nullptr, {&empty, 1}).ok());
}

TEST(Transfer, TheOperationIsCheckedBeforeItsKey) {
  const Device device;
  Qp responder{QpInit{}};
  const Mr* mr = nullptr;
  const auto check = [&](WrOpcode opcode, uint64_t addr, uint64_t length) {
    return CheckTarget(device, responder, opcode, addr, /*rkey=*/0xbad, length, &mr).cause;
  };

  EXPECT_EQ(check(WrOpcode::kAtomicWrite, 4, 4), Cause::kQpAccess);
  responder.attr().access_flags = access_flag::kRemoteWrite;
  EXPECT_EQ(check(WrOpcode::kAtomicWrite, 4, 4), Cause::kAtomicLength);
  EXPECT_EQ(check(WrOpcode::kAtomicWrite, 4, 8), Cause::kAtomicAlign);
  EXPECT_EQ(check(WrOpcode::kAtomicWrite, 8, 8), Cause::kRemoteKey);
  EXPECT_EQ(check(WrOpcode::kRdmaWrite, 4, 0), Cause::kNone)
      << "no key is looked at for an empty write";
}

}  // namespace
}  // namespace fakenic
