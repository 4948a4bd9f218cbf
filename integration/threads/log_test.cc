// Thresholds and the log function, changed while other threads log.
#include <algorithm>
#include <atomic>
#include <string>

#include "concurrently.h"
#include "connected.h"

namespace {

std::atomic<int> messages{0};

void Count(rpma_log_level, const char*, const int, const char*, const char*, ...) { ++messages; }
void CountToo(rpma_log_level, const char*, const int, const char*, const char*, ...) { ++messages; }

TEST(Log, IsSetWhileOtherThreadsLog) {
  const char no_usage[21] = {};
  ASSERT_EQ(rpma_log_set_function(Count), 0);
  messages = 0;
  Concurrently([&](int thread, int round) {
    if (thread == 0) {
      EXPECT_EQ(rpma_log_set_function(round % 2 == 0 ? CountToo : Count), 0);
      for (const auto threshold : {RPMA_LOG_THRESHOLD, RPMA_LOG_THRESHOLD_AUX}) {
        rpma_log_level level = RPMA_LOG_DISABLED;
        EXPECT_EQ(rpma_log_set_threshold(
                      threshold, round % 2 == 0 ? RPMA_LOG_LEVEL_ERROR : RPMA_LOG_LEVEL_INFO),
                  0);
        EXPECT_EQ(rpma_log_get_threshold(threshold, &level), 0);
      }
      return;
    }
    rpma_mr_remote* region = nullptr;
    EXPECT_EQ(rpma_mr_remote_from_descriptor(no_usage, sizeof(no_usage), &region), RPMA_E_NOSUPP);
  });
  EXPECT_EQ(messages, (kThreads - 1) * kRounds) << "each refusal is one error message";

  EXPECT_EQ(rpma_log_set_threshold(RPMA_LOG_THRESHOLD, RPMA_LOG_LEVEL_WARNING), 0);
  EXPECT_EQ(rpma_log_set_threshold(RPMA_LOG_THRESHOLD_AUX, RPMA_LOG_DISABLED), 0);
  EXPECT_EQ(rpma_log_set_function(RPMA_LOG_USE_DEFAULT_FUNCTION), 0);
}

TEST(Log, TheDefaultFunctionIsCalledByManyThreads) {
  ASSERT_EQ(rpma_log_set_threshold(RPMA_LOG_THRESHOLD_AUX, RPMA_LOG_LEVEL_ERROR), 0);
  testing::internal::CaptureStderr();
  Concurrently([&](int, int) {
    rpma_mr_remote* region = nullptr;
    EXPECT_EQ(rpma_mr_remote_from_descriptor("", 0, &region), RPMA_E_INVAL);
  });
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), kThreads * kRounds) << "a line for each";
  EXPECT_EQ(rpma_log_set_threshold(RPMA_LOG_THRESHOLD_AUX, RPMA_LOG_DISABLED), 0);
}

}  // namespace
