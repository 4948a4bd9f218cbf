// A second process for jobs: what it does, and how its end is this process's.
#include "property_tests/worker/far_end.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>

namespace conformance {

namespace {

class FarEndTest : public testing::Test {
 protected:
  std::unique_ptr<Board> board_ = std::make_unique<Board>();
};

TEST_F(FarEndTest, DoesAJobAndReturnsItAsItIsThen) {
  struct Add {
    int a, b;
    int sum = 0;
    pid_t who = 0;
    void operator()() {
      sum = a + b;
      who = getpid();
    }
  };
  FarEnd far(board_.get());

  const Add done = far.Do(Add{1, 2});

  EXPECT_EQ(done.sum, 3);
  EXPECT_EQ(done.who, board_->far_end);
  EXPECT_NE(done.who, getpid());
}

TEST_F(FarEndTest, SharesItsMemoryAtTheSamePlace) {
  FarEnd far(board_.get());
  auto* number = static_cast<int*>(far.Allocate(sizeof(int)));

  far.Do([number] { *number = 7; });

  EXPECT_EQ(*number, 7);
  EXPECT_NE(far.Allocate(1), number);
  far.FreeAll();
  EXPECT_EQ(far.Allocate(1), number);
}

TEST_F(FarEndTest, KeepsWhatItIsToKeep) {
  FarEnd far(board_.get());
  auto* kept = static_cast<int*>(far.Keep(sizeof(int)));
  void* number = far.Allocate(sizeof(int));
  far.FreeAll();

  EXPECT_EQ(far.Allocate(sizeof(int)), number);
  EXPECT_NE(number, kept);
}

TEST_F(FarEndTest, HasNoMoreMemoryThanItHas) {
  FarEnd far(board_.get());

  EXPECT_EQ(far.Allocate(std::size_t{1} << 40), nullptr);
  EXPECT_NE(far.Allocate(1), nullptr);
}

TEST_F(FarEndTest, ACrashThereIsTheSameHere) {
  EXPECT_EXIT(FarEnd(board_.get()).Do([] { raise(SIGKILL); }), testing::KilledBySignal(SIGKILL),
              "");
}

TEST_F(FarEndTest, AnExitThereIsTheSameHere) {
  EXPECT_EXIT(FarEnd(board_.get()).Do([] { _exit(5); }), testing::ExitedWithCode(5), "");
}

}  // namespace

}  // namespace conformance
