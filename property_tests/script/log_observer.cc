#include "property_tests/script/log_observer.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <utility>

namespace conformance {

namespace {

// Functions of the caller's have no argument of their own, and any thread may call them.
std::mutex g_mutex;
std::vector<spec::model::Message> g_messages;

bool HasText(const char* format, va_list arguments) {
  char text[2];
  return format != nullptr && std::vsnprintf(text, sizeof text, format, arguments) > 0;
}

template <std::size_t kListener>
void Listen(rpma_log_level level, const char* file_name, const int line_no,
            const char* function_name, const char* message_format, ...) {
  va_list arguments;
  va_start(arguments, message_format);
  const bool text = HasText(message_format, arguments);
  va_end(arguments);
  const int number = static_cast<int>(level);
  const bool known = number >= RPMA_LOG_LEVEL_FATAL && number <= RPMA_LOG_LEVEL_DEBUG;
  const bool place = file_name == nullptr || (line_no > 0 && function_name != nullptr);
  const std::lock_guard lock(g_mutex);
  g_messages.push_back({kListener, number, known && text && place});
}

struct Listener {
  std::string_view name;
  rpma_log_function* function;
};
constexpr Listener kListeners[] = {{"log", &Listen<1>}, {"log2", &Listen<2>}};

}  // namespace

std::size_t LogObserver::Find(std::string_view name) {
  std::size_t number = 0;
  for (const Listener& listener : kListeners) {
    ++number;
    if (listener.name == name) return number;
  }
  return 0;
}

rpma_log_function* LogObserver::Function(std::size_t listener) {
  return kListeners[listener - 1].function;
}

template <class Function>
Function* LogObserver::Symbol(const char* name) const {
  return reinterpret_cast<Function*>(dlsym(library_, name));
}

void LogObserver::RememberThresholds() {
  auto* const get = Symbol<decltype(::rpma_log_get_threshold)>("rpma_log_get_threshold");
  remembers_ = true;
  if (get == nullptr) return;
  for (const rpma_log_threshold threshold : kThresholds) get(threshold, &thresholds_[threshold]);
}

void LogObserver::Begin() {
  if (running()) return;
  if (!remembers_) RememberThresholds();
  heard_ = memfd_create("stderr", MFD_CLOEXEC);
  stderr_ = dup(STDERR_FILENO);
  dup2(heard_, STDERR_FILENO);
  const std::lock_guard lock(g_mutex);
  g_messages.clear();
}

spec::model::Said LogObserver::Take() {
  spec::model::Said said;
  said.stderr_bytes = static_cast<std::size_t>(lseek(heard_, 0, SEEK_END));
  if (ftruncate(heard_, 0) == 0) lseek(heard_, 0, SEEK_SET);
  const std::lock_guard lock(g_mutex);
  said.messages = std::exchange(g_messages, {});
  return said;
}

void LogObserver::End() {
  if (!running()) return;
  dup2(stderr_, STDERR_FILENO);
  close(std::exchange(stderr_, -1));
  close(std::exchange(heard_, -1));
  auto* const set_function = Symbol<decltype(::rpma_log_set_function)>("rpma_log_set_function");
  auto* const set = Symbol<decltype(::rpma_log_set_threshold)>("rpma_log_set_threshold");
  if (set_function != nullptr) set_function(RPMA_LOG_USE_DEFAULT_FUNCTION);
  if (set == nullptr) return;
  for (const rpma_log_threshold threshold : kThresholds) set(threshold, thresholds_[threshold]);
}

}  // namespace conformance
