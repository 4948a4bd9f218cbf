#include "nic/mr.h"

#include <cerrno>

namespace fakenic {
namespace {

constexpr uint32_t kKnown = access_flag::kLocalWrite | access_flag::kRemoteWrite |
                            access_flag::kRemoteRead | access_flag::kRemoteAtomic |
                            access_flag::kMwBind;

}  // namespace

int CheckRegistration(uint64_t addr, uint64_t length, uint32_t access) {
  if ((access & ~(kKnown | access_flag::kOptional)) != 0) return EOPNOTSUPP;
  const bool written = (access & (access_flag::kRemoteWrite | access_flag::kRemoteAtomic)) != 0;
  if (written && (access & access_flag::kLocalWrite) == 0) return EINVAL;
  if (addr + length < addr) return EINVAL;
  return 0;
}

}  // namespace fakenic
