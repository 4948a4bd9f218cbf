// Checks of arguments that every call of the data path makes.
#pragma once

#include <cstdint>

namespace rpma {

// Addresses that have a bit in common, as nearly all do, are shown to be none of them NULL by one
// test; only others are looked at one by one.
template <typename... T>
bool AnyIsNull(const T*... pointers) noexcept {
  if ((reinterpret_cast<uintptr_t>(pointers) & ...) != 0) [[likely]] {
    return false;
  }
  return ((pointers == nullptr) || ...);
}

}  // namespace rpma
