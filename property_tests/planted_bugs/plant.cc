#include "property_tests/planted_bugs/plant.h"

#include <cstdlib>

namespace planted {

std::string_view Bug() {
  static const char* const kBug = std::getenv("PLANTED_BUG");
  return kBug != nullptr ? kBug : "";
}

int WriteCall::Post() const {
  static auto* const kReal = Real<decltype(::rpma_write)>("rpma_write");
  return kReal(conn, dst, dst_offset, src, src_offset, len, flags, op_context);
}

int AtomicWriteCall::Post() const {
  static auto* const kReal = Real<decltype(::rpma_atomic_write)>("rpma_atomic_write");
  return kReal(conn, dst, dst_offset, src, flags, op_context);
}

}  // namespace planted
