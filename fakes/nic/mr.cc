#include "nic/mr.h"

#include <cerrno>

namespace fakenic {
namespace {

constexpr uint32_t kKnown = access_flag::kLocalWrite | access_flag::kRemoteWrite |
                            access_flag::kRemoteRead | access_flag::kRemoteAtomic |
                            access_flag::kMwBind;

}  // namespace

int CheckRegistration(uint64_t addr, uint64_t length, uint32_t access, uint32_t extra_rights) {
  if ((access & ~(kKnown | extra_rights | access_flag::kOptional)) != 0) return EOPNOTSUPP;
  const bool written = (access & (access_flag::kRemoteWrite | access_flag::kRemoteAtomic)) != 0;
  if (written && (access & access_flag::kLocalWrite) == 0) return EINVAL;
  if (addr + length < addr) return EINVAL;
  return 0;
}

int CheckAdvice(const Mr* mr, const Pd* pd, uint64_t addr, uint64_t bytes, bool written) {
  if (mr == nullptr || (mr->access & access_flag::kOnDemand) == 0) return ENOENT;
  if (mr->pd != pd) return EPERM;
  if (written && (mr->access & access_flag::kLocalWrite) == 0) return EPERM;
  return mr->Covers(addr, bytes) ? 0 : EFAULT;
}

}  // namespace fakenic
