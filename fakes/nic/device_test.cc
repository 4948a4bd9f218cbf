#include "nic/device.h"

#include <gtest/gtest.h>

#include <set>

namespace fakenic {
namespace {

TEST(Device, AKeyOfADeregisteredRegionNamesNothingEvenAfterItsSlotIsReused) {
  Device device;
  Mr first, second;
  device.Add(first);
  const uint32_t stale = first.key;
  device.Remove(first);

  device.Add(second);

  EXPECT_EQ(device.FindMr(stale), nullptr);
  EXPECT_EQ(device.FindMr(second.key), &second);
  EXPECT_NE(second.key, stale);
}

TEST(Device, NoLiveRegionHasKeyZero) {
  Device device;
  Mr mr;
  device.Add(mr);

  EXPECT_NE(mr.key, 0u);
  EXPECT_EQ(device.FindMr(0), nullptr);
}

TEST(Device, ANumberOfADestroyedQueuePairNamesNothing) {
  Device device;
  Qp first{QpInit{}}, second{QpInit{}};
  device.Add(first);
  const uint32_t stale = first.num;
  device.Remove(first);

  device.Add(second);

  EXPECT_EQ(device.FindQp(stale), nullptr);
  EXPECT_EQ(device.FindQp(second.num), &second);
}

TEST(Device, QueuePairNumbersAreAboveTheReservedOnesAndFitInto24Bits) {
  Device device;
  std::set<uint32_t> seen;
  for (int i = 0; i < 3000; ++i) {
    Qp qp{QpInit{}};
    device.Add(qp);
    EXPECT_GE(qp.num, 16u);
    EXPECT_LT(qp.num, 1u << 24);
    seen.insert(qp.num);
    device.Remove(qp);
  }
  EXPECT_GT(seen.size(), 1000u) << "a number does not come back soon";
}

TEST(Device, GarbageNumbersNameNothing) {
  Device device;
  Mr mr;
  Qp qp{QpInit{}};
  device.Add(mr);
  device.Add(qp);
  for (uint32_t garbage : {0u, 1u, 0xdeadbeefu, 0xffffffffu, mr.key ^ 0x100u, qp.num ^ 0x4000u}) {
    EXPECT_EQ(device.FindMr(garbage), nullptr);
    EXPECT_EQ(device.FindQp(garbage), nullptr);
  }
}

}  // namespace
}  // namespace fakenic
