// The atomic write that some QPs have by themselves, in builds whose libibverbs declares it.
#pragma once

#include <infiniband/verbs.h>

namespace rpma {

// IBV_QP_EX_WITH_ATOMIC_WRITE, for libibverbs that lacks it.
inline constexpr uint64_t kQpExWithAtomicWrite = uint64_t{1} << 12;

template <typename QpEx>
concept DeclaresAtomicWrite = requires(QpEx* qp) {
  qp->wr_atomic_write;
};

// Whether the QP can; never in a build that cannot say so.
template <typename QpEx>
bool CanWriteAtomically(QpEx* qp) noexcept {
  if constexpr (DeclaresAtomicWrite<QpEx>) {
    return qp->wr_atomic_write != nullptr;
  } else {
    return false;
  }
}

// Of a QP that can: writes the 8 bytes at src to remote_addr.
template <typename QpEx>
void WriteAtomically(QpEx* qp, uint32_t rkey, uint64_t remote_addr, const char* src) noexcept {
  if constexpr (DeclaresAtomicWrite<QpEx>) qp->wr_atomic_write(qp, rkey, remote_addr, src);
}

}  // namespace rpma
