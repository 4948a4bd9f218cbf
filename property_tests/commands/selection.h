// Which rules a command is about.
#pragma once

#include "property_tests/command_line.h"
#include "property_tests/runner/tally.h"

namespace conformance {

// By the globs, pages and sections of the request, the exclusions, and the shard that the
// environment variables GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX name. Throws UsageError if no rule
// is left, or the shard makes no sense.
Selection Select(const Request& request);

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace conformance
