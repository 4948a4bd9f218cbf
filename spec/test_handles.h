// For tests of what arguments a page forbids: a handle that nobody looks into.
#pragma once

namespace spec {

inline constexpr char kAnything = 0;

template <class Handle>
const Handle* Some(bool given = true) {
  return given ? reinterpret_cast<const Handle*>(&kAnything) : nullptr;
}

}  // namespace spec
