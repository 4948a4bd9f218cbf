// Hears what the library under test logs: to functions of the caller's, and to stderr. And puts its
// log back to what it was.
#pragma once

#include <librpma.h>

#include <array>
#include <string_view>

#include "spec/model/log.h"

namespace conformance {

class LogObserver {
 public:
  // `library`: of dlopen.
  explicit LogObserver(void* library) : library_(library) {}
  ~LogObserver() { End(); }
  LogObserver(const LogObserver&) = delete;
  LogObserver& operator=(const LogObserver&) = delete;

  // Log functions of the caller's by the names that scripts give them, `log` and `log2`: from 1. 0:
  // it is no such name.
  static std::size_t Find(std::string_view name);
  static rpma_log_function* Function(std::size_t listener);

  // From now on stderr is heard too, and what changes is put back at the end.
  void Begin();
  bool running() const { return stderr_ >= 0; }
  // What was said since the last time.
  spec::model::Said Take();
  void End();

 private:
  static constexpr std::array kThresholds{RPMA_LOG_THRESHOLD, RPMA_LOG_THRESHOLD_AUX};

  template <class Function>
  Function* Symbol(const char* name) const;
  void RememberThresholds();

  void* library_;
  int stderr_ = -1;  // what it was
  int heard_ = -1;   // the file that it is now
  bool remembers_ = false;
  std::array<rpma_log_level, 2> thresholds_{RPMA_LOG_LEVEL_WARNING, RPMA_LOG_DISABLED};
};

}  // namespace conformance
