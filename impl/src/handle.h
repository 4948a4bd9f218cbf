// Ownership of one object of libibverbs or librdmacm.
#pragma once

#include <utility>

#include "error.h"

namespace rpma {

// Owns a T. kDestroy destroys it and returns 0 or an RPMA_E_ code.
template <typename T, int (*kDestroy)(T*) noexcept>
class Handle {
 public:
  Handle() = default;

  // Owns object; nothing for NULL.
  explicit Handle(T* object) noexcept : object_(object) {}

  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}

  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  ~Handle() {
    ErrnoKeeper keeper;
    Close();
  }

  // Destroys the object. If that fails it stays owned: Close can be repeated, and the destructor
  // tries once more.
  int Close() noexcept {
    if (object_ == nullptr) return 0;
    const int code = kDestroy(object_);
    if (code == 0) object_ = nullptr;
    return code;
  }

  // Gives the object away.
  T* Release() noexcept { return std::exchange(object_, nullptr); }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace rpma
