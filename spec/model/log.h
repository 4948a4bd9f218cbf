// What the model knows of a library's log.
#pragma once

#include <librpma.h>

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "spec/rule.h"

namespace spec::model {

// A call of a log function of the caller's.
struct Message {
  std::size_t listener;  // which of the caller's functions, from 1
  int level;
  bool well_formed;  // its arguments are what the page of rpma_log_set_function(3) says
};

// What the library said while one call ran.
struct Said {
  std::vector<Message> messages;
  std::size_t stderr_bytes = 0;
};

struct Log {
  std::size_t listener = 0;  // the caller's function that is set; 0: the library's own
  bool ever_listened = false;
  std::map<int, int> thresholds{{RPMA_LOG_THRESHOLD, RPMA_LOG_LEVEL_WARNING},
                                {RPMA_LOG_THRESHOLD_AUX, RPMA_LOG_DISABLED}};
  std::map<int, const Rule*> setters;  // of a threshold that was set: the setter's rule
  // The most urgent message of a function's call that failed in the provider, once one was heard.
  std::map<std::string_view, int> most_urgent;
};

}  // namespace spec::model
