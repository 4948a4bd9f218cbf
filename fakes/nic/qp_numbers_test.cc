#include "nic/qp_numbers.h"

#include <gtest/gtest.h>

#include "nic/qp.h"

namespace fakenic {
namespace {

TEST(QpNumbers, ANumberComesBackOnlyAfterHalfOfItsBlock) {
  QpNumbers numbers;
  Qp qp{QpInit{}};
  const uint32_t first = *numbers.Add(qp);
  numbers.Remove(first);
  for (uint32_t i = 0; i < QpNumbers::kBlockSize / 2; ++i) {
    const uint32_t next = *numbers.Add(qp);
    EXPECT_NE(next, first);
    numbers.Remove(next);
  }
}

TEST(QpNumbers, ABlockIsClaimedOnlyWhenThoseBeforeAreHalfInUse) {
  QpNumbers numbers;
  uint32_t claims = 0;
  numbers.claim_block = [&] { return std::optional(7 + 3 * claims++); };
  Qp qp{QpInit{}};
  for (uint32_t i = 0; i < QpNumbers::kBlockSize / 2; ++i) {
    EXPECT_EQ(*numbers.Add(qp) >> QpNumbers::kBlockBits, 7u);
  }
  EXPECT_EQ(claims, 1u);

  numbers.Add(qp);

  EXPECT_EQ(claims, 2u);
  EXPECT_TRUE(numbers.Owns(7 << QpNumbers::kBlockBits));
  EXPECT_TRUE(numbers.Owns(10 << QpNumbers::kBlockBits));
  EXPECT_FALSE(numbers.Owns(8 << QpNumbers::kBlockBits));
}

TEST(QpNumbers, WithoutABlockThereIsNoNumber) {
  QpNumbers numbers;
  numbers.claim_block = [] { return std::nullopt; };
  Qp qp{QpInit{}};

  EXPECT_EQ(numbers.Add(qp), std::nullopt);
  EXPECT_EQ(numbers.size(), 0u);
}

TEST(QpNumbers, EveryLiveQueuePairIsVisited) {
  QpNumbers numbers;
  std::vector<std::unique_ptr<Qp>> qps;
  for (int i = 0; i < 5000; ++i) {
    qps.push_back(std::make_unique<Qp>(QpInit{}));
    qps.back()->num = *numbers.Add(*qps.back());
  }
  size_t visited = 0;
  numbers.ForEach([&](Qp& qp) {
    EXPECT_EQ(numbers.Find(qp.num), &qp);
    ++visited;
  });
  EXPECT_EQ(visited, 5000u);
}

}  // namespace
}  // namespace fakenic
