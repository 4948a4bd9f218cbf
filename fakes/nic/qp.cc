#include "nic/qp.h"

#include <cerrno>

namespace fakenic {
namespace {

constexpr uint64_t kMaxMessage = uint64_t{1} << 31;

bool Known(WrOpcode opcode) {
  return opcode == WrOpcode::kRdmaWrite || opcode == WrOpcode::kRdmaRead ||
         opcode == WrOpcode::kAtomicWrite;
}

}  // namespace

int Qp::CheckPostSend(const SendWr& wr) const {
  if (attr_.state < QpState::kRts) return EINVAL;
  if (!Known(wr.opcode)) return EINVAL;
  if (wr.opcode == WrOpcode::kRdmaRead && wr.has(send_flag::kInline)) return EINVAL;
  if (free_send_slots() == 0) return ENOMEM;
  uint64_t total = 0;
  for (const Sge& sge : wr.sges) total += sge.length;
  if (wr.opcode == WrOpcode::kAtomicWrite) return 0;  // carries its 8 bytes itself
  if (wr.has(send_flag::kInline)) return total > init_.cap.max_inline_data ? EINVAL : 0;
  if (wr.sges.size() > init_.cap.max_send_sge) return EINVAL;
  return total > kMaxMessage ? EINVAL : 0;
}

int Qp::CheckPostRecv(const RecvWr& wr) const {
  if (attr_.state == QpState::kReset) return EINVAL;
  if (wr.sges.size() > init_.cap.max_recv_sge) return EINVAL;
  if (rq_used_ >= init_.cap.max_recv_wr) return ENOMEM;
  return 0;
}

void Qp::Reset() {
  attr_ = QpAttr{};
  outstanding.clear();
  recvs.clear();
  sq_freed_ = sq_posted_;
  rq_used_ = 0;
  first_cause.clear();
}

}  // namespace fakenic
