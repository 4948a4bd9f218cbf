#include "nic/slot_map.h"

#include <gtest/gtest.h>

namespace fakenic {
namespace {

TEST(SlotMap, FindsWhatWasInserted) {
  SlotMap<int> map(2);
  int seven = 7;

  const uint32_t slot = map.Insert(&seven);

  EXPECT_EQ(map.Find(slot), &seven);
  EXPECT_EQ(map.Find(slot + 1), nullptr);
  EXPECT_EQ(map.Find(0xdeadbeef), nullptr);
}

TEST(SlotMap, ReusesAFreedSlotUnderAnotherGeneration) {
  SlotMap<int> map(2);
  int first = 1, second = 2;
  const uint32_t slot = map.Insert(&first);
  const uint32_t generation = map.generation(slot);

  map.Remove(slot);

  EXPECT_EQ(map.Find(slot), nullptr);
  EXPECT_EQ(map.Insert(&second), slot);
  EXPECT_NE(map.generation(slot), generation);
}

TEST(SlotMap, IsFullAtItsCapacityExactly) {
  SlotMap<int> map(2);
  int value = 0;
  map.Insert(&value);
  EXPECT_FALSE(map.full());

  const uint32_t slot = map.Insert(&value);

  EXPECT_TRUE(map.full());
  map.Remove(slot);
  EXPECT_FALSE(map.full());
}

}  // namespace
}  // namespace fakenic
