// Globs, as a shell has them.
#pragma once

#include <fnmatch.h>

#include <string>
#include <string_view>

namespace conformance {

inline bool Matches(const std::string& glob, std::string_view text) {
  return fnmatch(glob.c_str(), std::string(text).c_str(), 0) == 0;
}

}  // namespace conformance
