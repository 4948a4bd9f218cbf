#include "schedule/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fakenic {
namespace {

using testing::ElementsAre;

std::vector<size_t> Draw(Choices& choices, size_t alternatives, int times) {
  std::vector<size_t> drawn;
  for (int i = 0; i < times; ++i) drawn.push_back(choices.Choose(alternatives));
  return drawn;
}

TEST(Choices, TheSameSeedGivesTheSameOnes) {
  Choices one(uint64_t{5}), same(uint64_t{5}), other(uint64_t{6});
  const std::vector<size_t> drawn = Draw(one, 100, 20);

  EXPECT_EQ(Draw(same, 100, 20), drawn);
  EXPECT_NE(Draw(other, 100, 20), drawn);
}

TEST(Choices, EveryAlternativeIsChosenSometimes) {
  Choices choices(uint64_t{1});
  std::vector<int> chosen(5);
  for (const size_t choice : Draw(choices, 5, 200)) ++chosen[choice];
  for (const int times : chosen) EXPECT_GT(times, 10);
}

TEST(Choices, ARecordIsRepeatedAndThenTheFirstIsTaken) {
  Choices choices(std::vector<uint32_t>{2, 9, 1});

  EXPECT_THAT(Draw(choices, 3, 4), ElementsAre(2, 0, 1, 0)) << "9 is out of bounds";
  EXPECT_THAT(choices.made(), ElementsAre(2, 0, 1, 0));
}

}  // namespace
}  // namespace fakenic
