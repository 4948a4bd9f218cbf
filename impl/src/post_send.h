// What the operations have in common. This is the data path: nothing here allocates or throws.
#pragma once

#include "error.h"

namespace rpma {

// The longest message that a reliable connection carries: 2^31 bytes.
constexpr size_t kMaxMessageSize = size_t{1} << 31;

// The send flag for the completion flags of an operation.
inline unsigned SignaledFlag(int flags) noexcept {
  constexpr int kOnSuccessToo = RPMA_F_COMPLETION_ALWAYS & ~RPMA_F_COMPLETION_ON_ERROR;
  return (flags & kOnSuccessToo) != 0 ? IBV_SEND_SIGNALED : 0;
}

inline uint64_t WrId(const void* op_context) noexcept {
  return reinterpret_cast<uintptr_t>(op_context);
}

// With one argument and out of line, so that a post that succeeds does not pay for it.
[[gnu::cold, gnu::noinline]] inline int PostFailure(int result) noexcept {
  return VerbsFailure(result, "ibv_post_send", Place());
}

// Completes wr, whose sg_list, num_sge and opcode-specific part are set, and posts it.
inline int PostSend(ibv_qp* qp, ibv_send_wr* wr, ibv_wr_opcode opcode, unsigned send_flags,
                    const void* op_context) noexcept {
  wr->wr_id = WrId(op_context);
  wr->next = nullptr;
  wr->opcode = opcode;
  wr->send_flags = send_flags;
  ibv_send_wr* bad_wr;
  const int result = ibv_post_send(qp, wr, &bad_wr);
  if (result == 0) [[likely]] {
    return 0;
  }
  return PostFailure(result);
}

}  // namespace rpma
