// A registered memory region and the checks every access to it passes.
#pragma once

#include <cstdint>

#include "nic/pd.h"
#include "nic/types.h"

namespace fakenic {

struct Mr {
  Pd* pd = nullptr;
  uint64_t addr = 0;
  uint64_t length = 0;
  uint32_t access = 0;
  uint32_t key = 0;  // lkey and rkey alike
  uint32_t handle = 0;

  bool Covers(uint64_t at, uint64_t bytes) const {
    const uint64_t offset = at - addr;  // huge for what begins before
    return offset <= length && bytes <= length - offset;
  }
};

// Which check an access failed, in the order in which a NIC makes them.
enum class AccessVerdict : uint8_t { kAllowed, kNoSuchKey, kOtherPd, kMissingAccess, kOutOfRange };

[[gnu::always_inline]] inline AccessVerdict CheckAccess(const Mr* mr, const Pd* pd, uint32_t needed,
                                                        uint64_t addr, uint64_t bytes) {
  if (mr == nullptr) return AccessVerdict::kNoSuchKey;
  if (mr->pd != pd) return AccessVerdict::kOtherPd;
  if ((mr->access & needed) != needed) return AccessVerdict::kMissingAccess;
  if (!mr->Covers(addr, bytes)) return AccessVerdict::kOutOfRange;
  return AccessVerdict::kAllowed;
}

[[gnu::always_inline]] inline bool Allows(const Mr* mr, const Pd* pd, uint32_t needed,
                                          uint64_t addr, uint64_t bytes) {
  return CheckAccess(mr, pd, needed, addr, bytes) == AccessVerdict::kAllowed;
}

// 0, or the errno a registration with these access flags fails with, on a device that knows these
// rights beside those that every device knows.
int CheckRegistration(uint64_t addr, uint64_t length, uint32_t access, uint32_t extra_rights);

// 0, or the errno with which an advice about a part of the region fails: that it will be used, or
// also written. For a key that names no region mr is NULL.
int CheckAdvice(const Mr* mr, const Pd* pd, uint64_t addr, uint64_t bytes, bool written);

}  // namespace fakenic
