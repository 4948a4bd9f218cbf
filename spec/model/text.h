// Small helpers to build one line of text.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>

namespace spec::model {

template <class... Parts>
std::string Text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

inline std::string Hex(std::uint64_t value) {
  std::ostringstream out;
  out << std::hex << value;
  return out.str();
}

}  // namespace spec::model
