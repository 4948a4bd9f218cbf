#include <syslog.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "log.h"

namespace rpma {
namespace {

struct Level {
  const char* tag;
  int priority;
};

// By enum rpma_log_level.
constexpr Level kLevels[] = {
    {"*FATAL* ", LOG_CRIT},   {"*ERROR* ", LOG_ERR},  {"*WARN*  ", LOG_WARNING},
    {"*NOTE*  ", LOG_NOTICE}, {"*INFO*  ", LOG_INFO}, {"*DEBUG* ", LOG_DEBUG},
};

const char* BaseName(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

// "Nov 29 18:25:13.638252 ", local time.
void FormatTime(char* text, size_t size) {
  timespec now;
  tm local;
  char seconds[32];
  if (clock_gettime(CLOCK_REALTIME, &now) != 0 || localtime_r(&now.tv_sec, &local) == nullptr ||
      std::strftime(seconds, sizeof(seconds), "%b %d %H:%M:%S", &local) == 0) {
    std::snprintf(text, size, "[time error] ");
    return;
  }
  std::snprintf(text, size, "%s.%06ld ", seconds, now.tv_nsec / 1000);
}

}  // namespace

void DefaultLog(rpma_log_level level, const char* file_name, const int line_no,
                const char* function_name, const char* message_format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, message_format);
  std::vsnprintf(message, sizeof(message), message_format, arguments);
  va_end(arguments);
  char prefix[256];
  std::snprintf(prefix, sizeof(prefix), "%s: %3d: %s: ", BaseName(file_name), line_no,
                function_name);

  const Level& known = kLevels[level];
  if (level <= log_thresholds[RPMA_LOG_THRESHOLD_AUX].load(std::memory_order_relaxed)) {
    char time[64];
    FormatTime(time, sizeof(time));
    std::fprintf(stderr, "%s[%d] %s%s%s", time, static_cast<int>(gettid()), known.tag, prefix,
                 message);
  }
  // The facility goes with the message: openlog(3) would change it for the whole program.
  syslog(LOG_LOCAL7 | known.priority, "%s%s%s", known.tag, prefix, message);
}

}  // namespace rpma
