#include <syslog.h>

#include <cstdarg>
#include <cstdio>

#include "connection.h"

namespace {

int syslog_priority = -1;
char syslog_text[2048];
int openlog_calls = 0;

}  // namespace

// In place of libc's, for the whole test program.
extern "C" {
void syslog(int priority, const char* format, ...) {
  syslog_priority = priority;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(syslog_text, sizeof(syslog_text), format, arguments);
  va_end(arguments);
}
void openlog(const char*, int, int) { ++openlog_calls; }
}

namespace rpma::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;

struct Line {
  int count;
  rpma_log_level level;
  char file[256];
  int line;
  char function[64];
  char text[2048];
} last;

void Keep(rpma_log_level level, const char* file, const int line, const char* function,
          const char* format, ...) {
  ++last.count;
  last.level = level;
  last.line = line;
  std::snprintf(last.file, sizeof(last.file), "%s", file);
  std::snprintf(last.function, sizeof(last.function), "%s", function);
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(last.text, sizeof(last.text), format, arguments);
  va_end(arguments);
  errno = EDOM;  // which the caller of the library must not see
}

class RpmaLog : public ConnectionTest {
 protected:
  RpmaLog() {
    last = {};
    rpma_log_set_function(Keep);
  }
  ~RpmaLog() override {
    rpma_log_set_function(RPMA_LOG_USE_DEFAULT_FUNCTION);
    SetThresholds(RPMA_LOG_LEVEL_WARNING, RPMA_LOG_DISABLED);
  }

  static void SetThresholds(rpma_log_level main, rpma_log_level aux) {
    EXPECT_EQ(rpma_log_set_threshold(RPMA_LOG_THRESHOLD, main), 0);
    EXPECT_EQ(rpma_log_set_threshold(RPMA_LOG_THRESHOLD_AUX, aux), 0);
  }

  void FailToDisconnect() {
    provider.FailVerb("rdma_disconnect", EINVAL);
    EXPECT_EQ(rpma_conn_disconnect(conn), RPMA_E_PROVIDER);
    EXPECT_EQ(errno, EINVAL);
  }
};

TEST_F(RpmaLog, StartsAtWarningWithNothingForStderr) {
  rpma_log_level level = RPMA_LOG_LEVEL_DEBUG;
  EXPECT_EQ(rpma_log_get_threshold(RPMA_LOG_THRESHOLD, &level), 0);
  EXPECT_EQ(level, RPMA_LOG_LEVEL_WARNING);
  EXPECT_EQ(rpma_log_get_threshold(RPMA_LOG_THRESHOLD_AUX, &level), 0);
  EXPECT_EQ(level, RPMA_LOG_DISABLED);
}

TEST_F(RpmaLog, KeepsEveryLevelOfEachThreshold) {
  for (const auto threshold : {RPMA_LOG_THRESHOLD, RPMA_LOG_THRESHOLD_AUX}) {
    for (int value = RPMA_LOG_DISABLED; value <= RPMA_LOG_LEVEL_DEBUG; ++value) {
      rpma_log_level level = RPMA_LOG_LEVEL_FATAL;
      EXPECT_EQ(rpma_log_set_threshold(threshold, static_cast<rpma_log_level>(value)), 0);
      EXPECT_EQ(rpma_log_get_threshold(threshold, &level), 0);
      EXPECT_EQ(level, value);
    }
  }
}

TEST_F(RpmaLog, BadArgumentsAreRefused) {
  rpma_log_level level = RPMA_LOG_LEVEL_INFO;
  const auto above = static_cast<rpma_log_level>(RPMA_LOG_LEVEL_DEBUG + 1);
  const auto below = static_cast<rpma_log_level>(RPMA_LOG_DISABLED - 1);
  EXPECT_EQ(rpma_log_set_threshold(RPMA_LOG_THRESHOLD_MAX, level), RPMA_E_INVAL);
  EXPECT_EQ(rpma_log_set_threshold(RPMA_LOG_THRESHOLD, above), RPMA_E_INVAL);
  EXPECT_EQ(rpma_log_set_threshold(RPMA_LOG_THRESHOLD, below), RPMA_E_INVAL);
  EXPECT_EQ(rpma_log_get_threshold(RPMA_LOG_THRESHOLD_MAX, &level), RPMA_E_INVAL);
  EXPECT_EQ(rpma_log_get_threshold(RPMA_LOG_THRESHOLD, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(level, RPMA_LOG_LEVEL_INFO);
}

TEST_F(RpmaLog, AProviderFailureIsAnErrorWithTheCallAndItsErrno) {
  FailToDisconnect();

  EXPECT_EQ(last.count, 1);
  EXPECT_EQ(last.level, RPMA_LOG_LEVEL_ERROR);
  EXPECT_STREQ(last.text, "rdma_disconnect failed: Invalid argument\n");
  EXPECT_THAT(last.file, EndsWith("conn.cc"));
  EXPECT_STREQ(last.function, "rpma_conn_disconnect");
  EXPECT_GT(last.line, 0);
}

TEST_F(RpmaLog, ARefusedPostIsAnError) {
  EXPECT_CALL(provider.data_path, PostSend).WillOnce(testing::Return(ENOMEM));
  EXPECT_EQ(rpma_write(conn, dst, 0, src, 0, 8, RPMA_F_COMPLETION_ALWAYS, nullptr),
            RPMA_E_PROVIDER);

  EXPECT_EQ(errno, ENOMEM);
  EXPECT_STREQ(last.text, "ibv_post_send failed: Cannot allocate memory\n");
}

TEST_F(RpmaLog, MessagesAboveTheThresholdAreDropped) {
  EXPECT_EQ(rpma_conn_disconnect(conn), 0);
  EXPECT_EQ(last.count, 0) << "a notice is above a warning";
  SetThresholds(RPMA_LOG_LEVEL_NOTICE, RPMA_LOG_DISABLED);
  EXPECT_EQ(rpma_conn_disconnect(conn), 0);
  EXPECT_EQ(last.count, 1);
  EXPECT_EQ(last.level, RPMA_LOG_LEVEL_NOTICE);

  SetThresholds(RPMA_LOG_DISABLED, RPMA_LOG_LEVEL_DEBUG);
  FailToDisconnect();
  EXPECT_EQ(last.count, 1) << "the auxiliary threshold adds nothing to the main one";
}

TEST_F(RpmaLog, AnEmptyPollIsADebugMessage) {
  EXPECT_CALL(provider.data_path, PollCq).WillRepeatedly(testing::Return(0));
  rpma_cq* cq = nullptr;
  ibv_wc wc;
  ASSERT_EQ(rpma_conn_get_cq(conn, &cq), 0);
  EXPECT_EQ(rpma_cq_get_wc(cq, 1, &wc, nullptr), RPMA_E_NO_COMPLETION);
  EXPECT_EQ(last.count, 0);

  SetThresholds(RPMA_LOG_LEVEL_DEBUG, RPMA_LOG_DISABLED);
  EXPECT_EQ(rpma_cq_get_wc(cq, 1, &wc, nullptr), RPMA_E_NO_COMPLETION);
  EXPECT_EQ(last.level, RPMA_LOG_LEVEL_DEBUG);
}

TEST_F(RpmaLog, NullArgumentsAreSilent) {
  SetThresholds(RPMA_LOG_LEVEL_DEBUG, RPMA_LOG_DISABLED);
  EXPECT_EQ(rpma_conn_disconnect(nullptr), RPMA_E_INVAL);
  EXPECT_EQ(rpma_peer_new(nullptr, nullptr), RPMA_E_INVAL);
  EXPECT_EQ(last.count, 0);
}

TEST_F(RpmaLog, TheDefaultFunctionWritesToSyslogWithItsFacility) {
  rpma_log_set_function(RPMA_LOG_USE_DEFAULT_FUNCTION);
  testing::internal::CaptureStderr();
  FailToDisconnect();

  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(syslog_priority, LOG_LOCAL7 | LOG_ERR);
  EXPECT_THAT(syslog_text, MatchesRegex("\\*ERROR\\* conn.cc: [0-9]+: rpma_conn_disconnect: "
                                        "rdma_disconnect failed: Invalid argument\n"));
  EXPECT_EQ(last.count, 0);
  EXPECT_EQ(openlog_calls, 0) << "the identity is the program's";
}

TEST_F(RpmaLog, TheDefaultFunctionWritesToStderrUpToTheAuxiliaryThreshold) {
  rpma_log_set_function(RPMA_LOG_USE_DEFAULT_FUNCTION);
  SetThresholds(RPMA_LOG_LEVEL_NOTICE, RPMA_LOG_LEVEL_ERROR);
  testing::internal::CaptureStderr();
  FailToDisconnect();

  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, MatchesRegex("[A-Z][a-z]+ [0-9]+ [0-9]+:[0-9]+:[0-9]+\\.[0-9]+ "
                                 "\\[[0-9]+\\] \\*ERROR\\* conn.cc: .*\n"));
  EXPECT_THAT(text, AllOf(HasSubstr("Invalid argument\n"), Not(HasSubstr("disconnecting"))));
}

}  // namespace
}  // namespace rpma::test
