#include "log.h"

#include <pthread.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "enum_value.h"
#include "error.h"

namespace rpma {

constinit std::atomic<int> log_thresholds[] = {RPMA_LOG_LEVEL_WARNING, RPMA_LOG_DISABLED};

namespace {

constexpr size_t kMaxLineSize = 1024;

constinit std::atomic<rpma_log_function*> log_function = DefaultLog;

// A log function may write, where a thread can be cancelled; not in the middle of our calls.
class NoCancellation {
 public:
  NoCancellation() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state_); }
  NoCancellation(const NoCancellation&) = delete;
  NoCancellation& operator=(const NoCancellation&) = delete;
  ~NoCancellation() { pthread_setcancelstate(state_, nullptr); }

 private:
  int state_;
};

bool IsThreshold(int value) {
  return value == RPMA_LOG_THRESHOLD || value == RPMA_LOG_THRESHOLD_AUX;
}

}  // namespace

void Log::operator()(const char* format, ...) const noexcept {
  if (!IsLogged(level_)) return;
  const ErrnoKeeper keeper;
  const NoCancellation guard;
  char message[kMaxLineSize];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  log_function.load(std::memory_order_acquire)(level_, place_.file, place_.line, place_.function,
                                               "%s\n", message);
}

int ProviderFailure(const char* call, int error, Place place) noexcept {
  char text[128];
  if (IsLogged(RPMA_LOG_LEVEL_ERROR)) {
    Log{RPMA_LOG_LEVEL_ERROR, place}("%s failed: %s", call, strerror_r(error, text, sizeof(text)));
  }
  return RPMA_E_PROVIDER;
}

int VerbsFailure(int result, const char* call, Place place) noexcept {
  if (result > 0) errno = result;
  return ProviderFailure(call, errno, place);
}

}  // namespace rpma

int rpma_log_set_threshold(enum rpma_log_threshold threshold, enum rpma_log_level level) {
  const int index = rpma::EnumValue(threshold);
  const int value = rpma::EnumValue(level);
  if (!rpma::IsThreshold(index)) return RPMA_E_INVAL;
  if (value < RPMA_LOG_DISABLED || value > RPMA_LOG_LEVEL_DEBUG) return RPMA_E_INVAL;
  rpma::log_thresholds[index].store(value, std::memory_order_relaxed);
  return 0;
}

int rpma_log_get_threshold(enum rpma_log_threshold threshold, enum rpma_log_level* level) {
  const int index = rpma::EnumValue(threshold);
  if (!rpma::IsThreshold(index) || level == nullptr) return RPMA_E_INVAL;
  const int value = rpma::log_thresholds[index].load(std::memory_order_relaxed);
  *level = static_cast<rpma_log_level>(value);
  return 0;
}

int rpma_log_set_function(rpma_log_function* function) {
  rpma::log_function.store(function != nullptr ? function : rpma::DefaultLog,
                           std::memory_order_release);
  return 0;
}
