// Messages to the function that rpma_log_set_function() names.
#pragma once

#include <librpma.h>

#include <atomic>

namespace rpma {

// The two thresholds, by enum rpma_log_threshold.
extern std::atomic<int> log_thresholds[RPMA_LOG_THRESHOLD_MAX];

inline bool IsLogged(rpma_log_level level) noexcept {
  return level <= log_thresholds[RPMA_LOG_THRESHOLD].load(std::memory_order_relaxed);
}

// Where in the library; as a default argument, the place of the call.
class Place {
 public:
  explicit Place(const char* file = __builtin_FILE(), int line = __builtin_LINE(),
                 const char* function = __builtin_FUNCTION()) noexcept
      : file(file), line(line), function(function) {}

  const char* file;
  int line;
  const char* function;
};

// Log{level}(format, ...) passes a message on unless its level is above the threshold. The format
// is printf's, without a line feed. Leaves errno alone. Inside a function that is called often, ask
// IsLogged() first.
class Log {
 public:
  explicit Log(rpma_log_level level, Place place = Place()) noexcept
      : level_(level), place_(place) {}

  [[gnu::cold, gnu::format(printf, 2, 3)]] void operator()(const char* format, ...) const noexcept;

 private:
  rpma_log_level level_;
  Place place_;
};

// The library's own log function: to syslog and, up to the auxiliary threshold, to stderr.
rpma_log_function DefaultLog;

}  // namespace rpma
