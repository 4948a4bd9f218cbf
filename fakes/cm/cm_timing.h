// The times of the connection manager, as the kernel has them.
#pragma once

#include <cstdint>

namespace fakenic {

// How long a message waits for its response, and how often it is sent again.
inline constexpr uint64_t kCmResponseTimeoutNs = 4'096'000'000;
inline constexpr int kCmRetries = 15;
inline constexpr uint64_t kCmTimewaitNs = 512'000'000;

}  // namespace fakenic
