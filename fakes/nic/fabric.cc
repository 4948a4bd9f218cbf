#include "nic/fabric.h"

#include <algorithm>
#include <cerrno>

#include "nic/transfer.h"

namespace fakenic {

int Fabric::PostSend(Qp& qp, const SendWr& wr) {
  if (const int error = qp.CheckPostSend(wr)) return error;
  ++counts_.sends_posted;
  Qp* responder = device_.FindQp(qp.attr().dest_qp_num);
  const bool straight = eager_ && wr.opcode != WrOpcode::kRdmaRead && qp.state() == QpState::kRts &&
                        qp.outstanding.empty() && responder != nullptr &&
                        responder->Answers(qp.num);
  if (!straight) [[unlikely]] {
    return PostSlow(qp, wr);
  }

  const uint64_t position = qp.ClaimSendSlot();
  if (!wr.has(send_flag::kInline)) {
    const Verdict source = CheckLocal(device_, qp.pd(), wr.sges);
    if (!source.ok()) [[unlikely]] {
      Fail(qp, wr.wr_id, wr.opcode, position, source);
      return 0;
    }
  }
  const uint64_t length = TotalLength(wr.sges);
  const Mr* mr = nullptr;
  const Verdict target =
      CheckTarget(device_, *responder, wr.opcode, wr.remote_addr, wr.rkey, length, &mr);
  if (!target.ok()) [[unlikely]] {
    EnterError(*responder, /*from_position=*/0);
    if (on_async_event) on_async_event({AsyncEventType::kQpAccessErr, responder, nullptr});
    Fail(qp, wr.wr_id, wr.opcode, position, target);
    return 0;
  }
  PlaceSges(wr.remote_addr, wr.sges);
  if (qp.signaled(wr)) Complete(qp, wr.wr_id, wr.opcode, position, {});
  return 0;
}

int Fabric::PostSlow(Qp& qp, const SendWr& wr) {
  auto message = std::make_unique<Message>();
  message->requester = &qp;
  message->sequence = next_sequence_++;
  message->position = qp.ClaimSendSlot();
  message->wr_id = wr.wr_id;
  message->opcode = wr.opcode;
  message->signaled = qp.signaled(wr);
  message->fenced = wr.has(send_flag::kFence);
  message->remote_addr = wr.remote_addr;
  message->rkey = wr.rkey;
  message->length = TotalLength(wr.sges);
  if (wr.has(send_flag::kInline)) {
    for (const Sge& sge : wr.sges) {
      const auto* bytes = reinterpret_cast<const std::byte*>(sge.addr);
      message->payload.insert(message->payload.end(), bytes, bytes + sge.length);
    }
  } else {
    message->sges.assign(wr.sges.begin(), wr.sges.end());
  }
  if (qp.state() == QpState::kErr) Decide(*message, {WcStatus::kWrFlushErr, Cause::kFlushed});
  qp.outstanding.push_back(std::move(message));
  MarkBusy(qp);
  Settle();
  return 0;
}

int Fabric::PostRecv(Qp& qp, const RecvWr& wr) {
  if (const int error = qp.CheckPostRecv(wr)) return error;
  ++counts_.recvs_posted;
  qp.ClaimRecvSlot();
  qp.recvs.push_back({wr.wr_id, {wr.sges.begin(), wr.sges.end()}});
  if (qp.state() == QpState::kErr) FlushRecvs(qp);
  return 0;
}

void Fabric::Fail(Qp& qp, uint64_t wr_id, WrOpcode opcode, uint64_t position,
                  const Verdict& verdict) {
  RecordCause(qp, wr_id, verdict);
  Complete(qp, wr_id, opcode, position, verdict);
  EnterError(qp, position + 1);
  Settle();
}

// Fills the entry where it stays: this is the data path.
void Fabric::Complete(Qp& qp, uint64_t wr_id, WrOpcode opcode, uint64_t position,
                      const Verdict& verdict, uint32_t byte_len) {
  Cq& cq = qp.send_cq();
  Completion* entry = Claim(cq);
  if (entry == nullptr) [[unlikely]] {
    return;
  }
  entry->wr_id = wr_id;
  entry->status = verdict.status;
  entry->opcode = CompletionOpcode(opcode);
  entry->byte_len = byte_len;
  entry->vendor_err = entry->imm_data = entry->wc_flags = 0;
  entry->qp_num = qp.num;
  entry->is_recv = false;
  entry->qp = &qp;
  entry->slots_upto = position + 1;
  if (!verdict.ok()) [[unlikely]] {
    entry->vendor_err = static_cast<uint32_t>(verdict.cause);
    Garble(*entry);
  }
  Commit(cq, *entry);
}

// What a failed completion leaves undefined differs each time.
void Fabric::Garble(Completion& entry) {
  garbage_ = garbage_ * 1664525 + 1013904223;
  entry.opcode = static_cast<WcOpcode>(garbage_ >> 24);
  entry.byte_len = entry.imm_data = entry.wc_flags = garbage_;
}

Completion* Fabric::Claim(Cq& cq) {
  ++counts_.completions;
  Completion* entry = cq.Claim();
  if (entry == nullptr) [[unlikely]] {
    Overrun(cq);
  }
  return entry;
}

void Fabric::Commit(Cq& cq, const Completion& entry) {
  cq.Commit(entry);
  if (cq.events_owed() > 0) [[unlikely]] {
    OweEvent(cq);
  }
}

void Fabric::OweEvent(Cq& cq) {
  if (eager_ && owing_.empty()) {
    cq.RaiseEvent();
  } else if (std::find(owing_.begin(), owing_.end(), &cq) == owing_.end()) {
    owing_.push_back(&cq);
  }
}

void Fabric::Overrun(Cq& cq) {
  if (on_error)
    on_error("cq: overrun, " + std::to_string(cq.capacity()) + " entries are all in use");
  if (on_async_event) on_async_event({AsyncEventType::kCqErr, nullptr, &cq});
  device_.ForEachQp([&](Qp& qp) {
    if (&qp.send_cq() != &cq && &qp.recv_cq() != &cq) return;
    if (qp.state() != QpState::kErr && qp.state() != QpState::kReset) EnterError(qp, 0);
  });
  Settle();
}

void Fabric::EnterError(Qp& qp, uint64_t from_position) {
  qp.set_state(QpState::kErr);
  for (auto& message : qp.outstanding) {
    if (message->position < from_position || message->decided) continue;
    Decide(*message, {WcStatus::kWrFlushErr, Cause::kFlushed});
  }
  FlushRecvs(qp);
}

void Fabric::RecordCause(Qp& qp, uint64_t wr_id, const Verdict& verdict) {
  if (verdict.cause == Cause::kFlushed || !qp.first_cause.empty()) return;
  qp.first_cause = Explain(qp.num, wr_id, verdict, device_.FindMr(verdict.key));
  if (on_error) on_error(qp.first_cause);
}

void Fabric::FlushRecvs(Qp& qp) {
  while (!qp.recvs.empty()) {
    const uint64_t wr_id = qp.recvs.front().wr_id;
    qp.recvs.pop_front();
    Completion* entry = Claim(qp.recv_cq());
    if (entry == nullptr) continue;
    *entry = {.wr_id = wr_id,
              .status = WcStatus::kWrFlushErr,
              .vendor_err = static_cast<uint32_t>(Cause::kFlushed),
              .qp_num = qp.num,
              .is_recv = true,
              .qp = &qp};
    Garble(*entry);
    Commit(qp.recv_cq(), *entry);
  }
}

int Fabric::ModifyQp(Qp& qp, const QpAttr& attr, uint32_t mask) {
  const QpState to = (mask & qp_mask::kState) ? attr.state : qp.state();
  const uint32_t rest = mask & ~qp_mask::kState;
  if (const int error = CheckTransition(qp.state(), to, rest)) return error;
  const uint8_t most = device_.limits().max_rd_atomic;
  if ((rest & qp_mask::kMaxQpRdAtomic) && attr.max_rd_atomic > most) return EINVAL;
  if ((rest & qp_mask::kMaxDestRdAtomic) && attr.max_dest_rd_atomic > most) return EINVAL;
  if ((rest & qp_mask::kTimeout) && attr.timeout > 31) return EINVAL;
  if ((rest & qp_mask::kPort) && attr.port_num != 1) return EINVAL;

  ApplyAttributes(attr, rest, qp.attr());
  if (to == QpState::kReset) {
    qp.send_cq().Purge(&qp);
    qp.recv_cq().Purge(&qp);
    qp.Reset();
  } else if (to == QpState::kErr) {
    EnterError(qp, 0);
  } else {
    qp.set_state(to);
  }
  Settle();
  return 0;
}

void Fabric::DestroyQp(Qp& qp) {
  for (auto& message : qp.outstanding) {
    message->requester = nullptr;
    message->decided = message->completed = true;
    if (!message->pieces.empty() && !message->is_read()) orphans_.push_back(std::move(message));
  }
  qp.outstanding.clear();
  std::erase(busy_, &qp);
  Settle();
  qp.send_cq().Purge(&qp);
  qp.recv_cq().Purge(&qp);
}

void Fabric::BeforeDereg(const Mr& mr) {
  auto finish = [&](Message& message) {
    for (size_t i = message.pieces.size(); i-- > 0;) {
      if (message.pieces[i].mr == &mr) Place(message, i);
    }
  };
  for (Qp* qp : busy_) {
    for (auto& message : qp->outstanding) finish(*message);
  }
  for (auto& message : orphans_) finish(*message);
}

void Fabric::BeforeDestroy(const Cq& cq) { std::erase(owing_, &cq); }

void Fabric::set_eager(bool eager) {
  eager_ = eager;
  Settle();
}

void Fabric::MarkBusy(Qp& qp) {
  if (qp.busy) return;
  qp.busy = true;
  busy_.push_back(&qp);
}

void Fabric::Settle() {
  const bool idle = busy_.empty() && owing_.empty() && orphans_.empty();
  if (!eager_ || idle || settling_) return;
  settling_ = true;
  RunInOrder();
  settling_ = false;
}

}  // namespace fakenic
