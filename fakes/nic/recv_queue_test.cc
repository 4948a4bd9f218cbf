#include "nic/recv_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace fakenic {
namespace {

TEST(RecvQueue, HandsReceivesOutInPostingOrderAroundItsEnd) {
  RecvQueue queue(/*max_wr=*/3, /*max_sge=*/2);
  const std::array<Sge, 2> sges{{{0x10, 1, 2}, {0x20, 3, 4}}};

  for (uint64_t wr_id = 0; wr_id < 10; ++wr_id) {
    queue.Post({wr_id, {sges.data(), wr_id % 3}});
    const RecvWr taken = queue.Take();
    queue.FreeSlot();

    EXPECT_EQ(taken.wr_id, wr_id);
    ASSERT_EQ(taken.sges.size(), wr_id % 3);
    if (taken.sges.size() == 2) {
      EXPECT_EQ(taken.sges[1].addr, 0x20u);
      EXPECT_EQ(taken.sges[1].lkey, 4u);
    }
  }
}

TEST(RecvQueue, AConsumedReceiveKeepsItsSlotUntilItIsFreed) {
  RecvQueue queue(/*max_wr=*/1, /*max_sge=*/0);
  queue.Post({1, {}});
  queue.Take();

  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.full());
  queue.FreeSlot();
  EXPECT_FALSE(queue.full());
}

TEST(RecvQueue, ClearForgetsEverything) {
  RecvQueue queue(/*max_wr=*/2, /*max_sge=*/1);
  queue.Post({1, {}});
  queue.Post({2, {}});
  queue.Take();

  queue.Clear();

  EXPECT_EQ(queue.waiting(), 0u);
  EXPECT_FALSE(queue.full());
  queue.Post({3, {}});
  EXPECT_EQ(queue.Take().wr_id, 3u);
}

}  // namespace
}  // namespace fakenic
