#include "nic/qp.h"

#include <cerrno>

#include "nic/opcode.h"
#include "nic/transfer.h"

namespace fakenic {

int Qp::CheckPostSend(const SendWr& wr, const Profile& profile) const {
  if (!IsKnown(wr.opcode)) return EINVAL;
  if (free_send_slots() == 0) return ENOMEM;
  if (IsAtomic(wr.opcode) && profile.atomics_are_checked_at_post) {
    if (wr.remote_addr % 8 != 0 || TotalLength(wr.sges) < 8) return EINVAL;
  }
  if (wr.opcode == WrOpcode::kFlush) return IsPossible(wr.flush) && wr.sges.empty() ? 0 : EINVAL;
  if (wr.opcode == WrOpcode::kAtomicWrite) return 0;  // carries its 8 bytes itself
  if (wr.has(send_flag::kInline)) {
    if (IsAnsweredWithData(wr.opcode)) return EINVAL;
    uint64_t total = 0;
    for (const Sge& sge : wr.sges) total += sge.length;
    return total > init_.cap.max_inline_data ? profile.post_send_inline_too_long : 0;
  }
  return wr.sges.size() > init_.cap.max_send_sge ? profile.post_send_too_many_sges : 0;
}

int Qp::CheckPostRecv(const RecvWr& wr) const {
  if (init_.srq != nullptr) return EINVAL;
  if (wr.sges.size() > init_.cap.max_recv_sge) return EINVAL;
  return own_recvs_.full() ? ENOMEM : 0;
}

void Qp::Reset() {
  attr_ = QpAttr{};
  outstanding.clear();
  own_recvs_.Clear();
  sq_freed_ = sq_posted_;
  established = drain_notify = false;
  far.reset();
  turned_away.reset();
  first_cause.clear();
}

}  // namespace fakenic
