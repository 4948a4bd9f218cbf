#pragma once

#include <cstring>

namespace rpma {

// The int in a C enum: a C caller may pass any, which C++ must not read as the enum.
template <typename Enum>
int EnumValue(const Enum& from_c) noexcept {
  int value;
  static_assert(sizeof(value) == sizeof(from_c));
  std::memcpy(&value, &from_c, sizeof(value));
  return value;
}

}  // namespace rpma
