// Completions, and what an error does to a queue pair.
#include <algorithm>

#include "nic/fabric.h"
#include "nic/transfer.h"

namespace fakenic {
namespace {

// The status in which this device shows a receive that failed for this cause.
WcStatus RecvStatus(const Profile& profile, Cause cause) {
  switch (cause) {
    case Cause::kReceiveTooShort:
      return profile.recv_too_short;
    case Cause::kReceiveKey:
      return profile.recv_bad_buffer;
    case Cause::kInvalidateKey:
      return profile.recv_bad_invalidate;
    default:
      return profile.recv_bad_rkey;
  }
}

}  // namespace

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
  entry->is_recv = entry->solicited = false;
  entry->qp = &qp;
  entry->slots_upto = position + 1;
  if (!verdict.ok()) [[unlikely]] {
    const bool own_buffer = verdict.cause == Cause::kLocalKey && !IsAnsweredWithData(opcode);
    if (own_buffer) entry->status = device_.profile().send_bad_buffer;
    entry->vendor_err = static_cast<uint32_t>(verdict.cause);
    Garble(*entry);
  }
  Commit(cq, *entry);
}

void Fabric::CompleteRecv(Qp& qp, uint64_t wr_id, const Verdict& verdict,
                          const Received& received) {
  Cq& cq = qp.recv_cq();
  Completion* entry = Claim(cq);
  if (entry == nullptr) [[unlikely]] {
    return;
  }
  const bool immediate =
      received.opcode == WrOpcode::kSendWithImm || received.opcode == WrOpcode::kRdmaWriteWithImm;
  entry->wr_id = wr_id;
  entry->status = verdict.status;
  entry->opcode =
      received.opcode == WrOpcode::kRdmaWriteWithImm ? WcOpcode::kRecvRdmaWithImm : WcOpcode::kRecv;
  entry->vendor_err = 0;
  entry->byte_len = static_cast<uint32_t>(received.length);
  entry->imm_data = immediate ? received.imm_data : 0;
  entry->wc_flags = device_.profile().recv_wc_flags;
  if (immediate) entry->wc_flags |= wc_flag::kWithImm;
  entry->qp_num = qp.num;
  entry->is_recv = true;
  entry->solicited = received.solicited;
  entry->qp = &qp;
  entry->slots_upto = 0;
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

void Fabric::RequestNotify(Cq& cq, bool solicited_only) {
  cq.RequestNotify(solicited_only);
  if (!device_.profile().arming_sees_unpolled_completions) return;
  if (cq.OweEventOfUnpolled()) OweEvent(cq);
}

void Fabric::OweEvent(Cq& cq) {
  if (eager_ && owing_.empty()) {
    cq.RaiseEvent();
  } else if (std::find(owing_.begin(), owing_.end(), &cq) == owing_.end()) {
    owing_.push_back(&cq);
  }
}

void Fabric::Overrun(Cq& cq) {
  unsettled_ = true;
  if (on_error)
    on_error("cq: overrun, " + std::to_string(cq.capacity()) + " entries are all in use");
  Raise({.type = AsyncEventType::kCqErr, .cq = &cq});
  if (!device_.profile().overrun_fails_qps) return;
  device_.ForEachQp([&](Qp& qp) {
    if (&qp.send_cq() != &cq && &qp.recv_cq() != &cq) return;
    if (qp.state() == QpState::kErr || qp.state() == QpState::kReset) return;
    EnterError(qp, 0);
    Raise({.type = AsyncEventType::kQpFatal, .qp = &qp});
  });
}

void Fabric::EnterError(Qp& qp, uint64_t from_position) {
  const bool entering = qp.state() != QpState::kErr;
  qp.set_state(QpState::kErr);
  if (qp.far != nullptr) {
    StopAnswering(qp);
    if (!qp.outstanding.empty()) MoveInSteps(qp);
  }
  FinishInbound(qp);
  bool flushed = false;
  for (auto& message : qp.outstanding) {
    if (message->position < from_position) continue;
    // What was acknowledged behind a read that has not landed is lost with that read.
    if (message->decided && !(flushed && message->outcome.ok())) continue;
    Decide(*message, {WcStatus::kWrFlushErr, Cause::kFlushed});
    flushed = true;
  }
  FlushRecvs(qp);
  if (entering && qp.srq() != nullptr) {
    Raise({.type = AsyncEventType::kQpLastWqeReached, .qp = &qp});
  }
}

void Fabric::RecordCause(Qp& qp, uint64_t wr_id, const Verdict& verdict) {
  if (verdict.cause == Cause::kFlushed || !qp.first_cause.empty()) return;
  const bool elsewhere = qp.far != nullptr && verdict.cause == Cause::kRemoteKey;
  const Mr* mr = elsewhere ? nullptr : device_.FindMr(verdict.key);
  qp.first_cause = Explain(qp.num, wr_id, verdict, mr);
  if (on_error) on_error(qp.first_cause);
}

// Its own receives only: those of a shared receive queue are for others too.
void Fabric::FlushRecvs(Qp& qp) {
  if (qp.srq() != nullptr) return;
  while (!qp.recvs().empty()) {
    CompleteRecv(qp, qp.recvs().Take().wr_id, {WcStatus::kWrFlushErr, Cause::kFlushed}, {});
  }
}

// The receives that messages have consumed complete before those that nobody has: what was accepted
// is placed, and so is what came before it.
void Fabric::FinishInbound(Qp& qp) {
  std::vector<Message*> inbound;
  std::vector<Message*> all;
  ForEachMessage([&](Message& message) {
    all.push_back(&message);
    if (message.recv && !message.recv->completed && message.recv->responder == &qp) {
      inbound.push_back(&message);
    }
  });
  std::sort(inbound.begin(), inbound.end(),
            [](const Message* a, const Message* b) { return a->sequence < b->sequence; });
  for (Message* message : inbound) {
    for (Message* earlier : all) {
      if (earlier->flow != message->flow || earlier->sequence > message->sequence) continue;
      if (!earlier->landing()) PlaceAll(*earlier);
    }
    Receive(*message);
  }
}

// An error that the requester hears of, and that has no receive to show it at the responder.
void Fabric::Refuse(Qp& responder, const Verdict& answer) {
  EnterError(responder, /*from_position=*/0);
  Raise({.type = answer.status == WcStatus::kRemAccessErr ? AsyncEventType::kQpAccessErr
                                                          : AsyncEventType::kQpReqErr,
         .qp = &responder});
}

void Fabric::RefuseReceive(Qp& responder, uint64_t recv_wr_id, const Verdict& receive,
                           const Verdict& answer) {
  FinishInbound(responder);
  RecordCause(responder, recv_wr_id, receive);
  Verdict shown = receive;
  shown.status = RecvStatus(device_.profile(), receive.cause);
  CompleteRecv(responder, recv_wr_id, shown, {});
  EnterError(responder, /*from_position=*/0);
  if (answer.status == WcStatus::kRemAccessErr) {
    Raise({.type = AsyncEventType::kQpAccessErr, .qp = &responder});
  }
}

void Fabric::Raise(const AsyncEvent& event) {
  const bool access =
      event.type == AsyncEventType::kQpAccessErr || event.type == AsyncEventType::kQpReqErr;
  if (access && !device_.profile().access_error_is_an_event) return;
  if (on_async_event) on_async_event(event);
}

// The first message since the move to RTR tells that the connection stands.
void Fabric::Establish(Qp& responder) {
  if (responder.established) return;
  responder.established = true;
  Raise({.type = AsyncEventType::kCommEst, .qp = &responder});
}

RecvWr Fabric::TakeRecv(Qp& responder) {
  const RecvWr recv = responder.recvs().Take();
  Srq* srq = responder.srq();
  if (srq != nullptr && srq->queue.waiting() < srq->limit) [[unlikely]] {
    srq->limit = 0;
    Raise({.type = AsyncEventType::kSrqLimitReached, .srq = srq});
  }
  return recv;
}

}  // namespace fakenic
