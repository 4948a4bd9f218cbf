// How errors travel inside the library and become return codes at the C boundary.
#pragma once

#include <cxxabi.h>
#include <librpma.h>

#include <cerrno>
#include <new>

#include "log.h"

namespace rpma {

// Thrown where a constructor cannot go on; carries the code that the caller gets.
struct Error {
  int code;
};

// Logs that the provider's call failed, with what error says, and returns RPMA_E_PROVIDER. Leaves
// errno alone.
[[gnu::cold]] int ProviderFailure(const char* call, int error, Place place = Place()) noexcept;

// Out of line, so that the data path pays for it only when a verb fails.
[[gnu::cold]] int VerbsFailure(int result, const char* call, Place place) noexcept;

// Turns the result of a verb that returns its errno (0 is success) into a code, and sets errno.
inline int VerbsResult(int result, const char* call, Place place = Place()) noexcept {
  if (result == 0) [[likely]] {
    return 0;
  }
  return VerbsFailure(result, call, place);
}

// Turns the result of a librdmacm call that sets errno itself (0 is success) into a code.
inline int CmResult(int result, const char* call, Place place = Place()) noexcept {
  return result == 0 ? 0 : ProviderFailure(call, errno, place);
}

// The object that call has made; throws RPMA_E_PROVIDER for NULL, which says that it could not.
template <typename T>
T* OrThrow(T* object, const char* call, Place place = Place()) {
  if (object == nullptr) throw Error{ProviderFailure(call, errno, place)};
  return object;
}

inline void ThrowIf(int code) {
  if (code != 0) throw Error{code};
}

// Runs the body of an API function; what it throws becomes a return code.
template <typename Body>
int Boundary(Body&& body) {
  try {
    body();
    return 0;
  } catch (const Error& error) {
    return error.code;
  } catch (const std::bad_alloc&) {
    return RPMA_E_NOMEM;
  } catch (abi::__forced_unwind&) {
    throw;  // pthread_cancel() of a thread that waits in the provider
  } catch (...) {
    return RPMA_E_UNKNOWN;
  }
}

// Keeps errno over clean-up, which must not hide the cause of a failure.
class ErrnoKeeper {
 public:
  ErrnoKeeper() noexcept : errno_(errno) {}
  ErrnoKeeper(const ErrnoKeeper&) = delete;
  ErrnoKeeper& operator=(const ErrnoKeeper&) = delete;
  ~ErrnoKeeper() { errno = errno_; }

 private:
  int errno_;
};

// Collects the codes of clean-up steps that all have to run; the first failure is the result.
class FirstError {
 public:
  void Add(int code) noexcept {
    if (code_ != 0 || code == 0) return;
    code_ = code;
    errno_ = errno;
  }

  int Result() const noexcept {
    if (code_ != 0) errno = errno_;
    return code_;
  }

 private:
  int code_ = 0;
  int errno_ = 0;
};

}  // namespace rpma
