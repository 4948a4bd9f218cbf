// Messages that run to their end at once, without steps: same checks, same placement, same order of
// effects as in order under the stepped schedules.
#include "nic/fabric.h"
#include "nic/transfer.h"

namespace fakenic {

bool Fabric::RunsStraight(const Qp& qp, Qp& responder, const SendWr& wr) const {
  if (wr.opcode == WrOpcode::kSendWithInv) return false;
  if (ConsumesReceive(wr.opcode)) return !responder.recvs().empty();
  if (!IsAnsweredWithData(wr.opcode)) return true;
  return qp.attr().max_rd_atomic > 0 && atomic_ == nullptr;
}

void Fabric::RunStraight(Qp& qp, Qp& responder, const SendWr& wr) {
  const uint64_t position = qp.ClaimSendSlot();
  const uint64_t length = TotalLength(wr.sges);
  Verdict verdict = CheckLength(wr.opcode, length);
  if (verdict.ok() && !IsAnsweredWithData(wr.opcode) && !wr.has(send_flag::kInline)) {
    verdict = CheckLocal(device_, qp.pd(), wr.sges);
  }
  if (verdict.ok()) verdict = CarryStraight(qp, responder, wr, length);
  if (!verdict.ok()) [[unlikely]] {
    Fail(qp, wr.wr_id, wr.opcode, position, verdict);
    return;
  }
  const uint64_t byte_len = IsAnsweredWithData(wr.opcode) ? length : 0;
  if (qp.signaled(wr)) {
    Complete(qp, wr.wr_id, wr.opcode, position, {}, static_cast<uint32_t>(byte_len));
  }
  if (unsettled_) Settle();
}

Verdict Fabric::CarryStraight(Qp& qp, Qp& responder, const SendWr& wr, uint64_t length) {
  if (ConsumesReceive(wr.opcode)) return SendStraight(responder, wr, length);
  const Mr* mr = nullptr;
  const Verdict target =
      wr.opcode == WrOpcode::kFlush
          ? CheckFlush(device_, responder, wr.remote_addr, wr.rkey, wr.flush)
          : CheckTarget(device_, responder, wr.opcode, wr.remote_addr, wr.rkey, length, &mr);
  if (!target.ok()) {
    Refuse(responder, target);
    return target;
  }
  if (IsAtomic(wr.opcode)) return AtomicStraight(qp, wr);
  if (wr.opcode == WrOpcode::kRdmaRead) {
    HasRead(qp.num, length);
    return ReadStraight(qp, wr);
  }
  if (wr.opcode == WrOpcode::kFlush) {
    Flushed(qp.num, wr.remote_addr, wr.rkey, wr.flush);
    return {};
  }
  Placing(qp.num, wr.remote_addr, length);
  PlaceSges(wr.remote_addr, wr.sges);
  return {};
}

Verdict Fabric::SendStraight(Qp& responder, const SendWr& wr, uint64_t length) {
  const Verdict operation = CheckOperation(responder, wr.opcode, wr.remote_addr, wr.rkey, length);
  if (!operation.ok()) {
    Refuse(responder, operation);
    return operation;
  }
  const RecvWr recv = TakeRecv(responder);
  const Mr* mr = nullptr;
  const Arrival arrival =
      CheckArrival(device_, responder, wr.opcode, wr.remote_addr, wr.rkey, length, recv.sges, &mr);
  if (!arrival.answer.ok()) {
    RefuseReceive(responder, recv.wr_id, arrival.receive, arrival.answer);
    return arrival.answer;
  }
  const uint32_t flow = responder.attr().dest_qp_num;
  if (IsSend(wr.opcode)) {
    Placing(flow, recv.sges, 0, length);
    PlaceSges(recv.sges, wr.sges);
  } else {
    Placing(flow, wr.remote_addr, length);
    PlaceSges(wr.remote_addr, wr.sges);
  }
  CompleteRecv(responder, recv.wr_id, {},
               {wr.opcode, wr.imm_data, length, wr.has(send_flag::kSolicited)});
  return {};
}

Verdict Fabric::ReadStraight(Qp& qp, const SendWr& wr) {
  const Verdict landing = CheckLocal(device_, qp.pd(), wr.sges, access_flag::kLocalWrite);
  if (!landing.ok()) return landing;
  uint64_t from = wr.remote_addr;
  for (const Sge& sge : wr.sges) {
    if (sge.length == 0) continue;
    PlaceBytes(sge.addr, reinterpret_cast<const void*>(from), sge.length);
    from += sge.length;
  }
  return {};
}

Verdict Fabric::AtomicStraight(Qp& qp, const SendWr& wr) {
  uint64_t found;
  PlaceBytes(reinterpret_cast<uintptr_t>(&found), reinterpret_cast<const void*>(wr.remote_addr), 8);
  const uint64_t stored = AtomicResult(wr.opcode, found, wr.compare_add, wr.swap);
  Placing(qp.num, wr.remote_addr, 8);
  PlaceBytes(wr.remote_addr, &stored, 8);
  const Verdict landing = CheckLocal(device_, qp.pd(), wr.sges, access_flag::kLocalWrite);
  if (!landing.ok()) return landing;
  const Sge result{reinterpret_cast<uintptr_t>(&found), 8, 0};
  PlaceSges(wr.sges, {&result, 1});
  return {};
}

}  // namespace fakenic
