// Posting, modifying and destroying.
#include "nic/fabric.h"

#include <algorithm>
#include <cerrno>

#include "nic/transfer.h"

namespace fakenic {

int Fabric::PostAny(Qp& qp, const SendWr& wr) {
  if (qp.too_early_to_send()) return PostEarly(qp, wr);
  if (qp.free_send_slots() == 0 && device_.profile().send_slots_are_freed_early) {
    qp.FreeSendSlotsEarly();
  }
  if (const int error = qp.CheckPostSend(wr, device_.profile())) return error;
  ++counts_.sends_posted;
  Qp* responder = device_.FindQp(qp.attr().dest_qp_num);
  const bool clear = eager_ && qp.state() == QpState::kRts && qp.outstanding.empty() &&
                     responder != nullptr && responder->Answers(qp.num);
  if (!clear || !RunsStraight(qp, *responder, wr)) return PostSlow(qp, wr);
  if (responder->state() == QpState::kRtr) Establish(*responder);
  RunStraight(qp, *responder, wr);
  return 0;
}

int Fabric::PostEarly(Qp& qp, const SendWr& wr) {
  const Profile& profile = device_.profile();
  if (KeepsEarly(qp) && qp.CheckPostSend(wr, profile) == 0) {
    ++counts_.sends_posted;
    PostSlow(qp, wr);
  }
  return profile.post_send_before_rts;
}

int Fabric::PostSlow(Qp& qp, const SendWr& wr) {
  auto message = NewMessage();
  message->requester = &qp;
  message->flow = qp.num;
  message->sequence = next_sequence_++;
  message->position = qp.ClaimSendSlot();
  message->wr_id = wr.wr_id;
  message->opcode = wr.opcode;
  message->signaled = qp.signaled(wr);
  message->fenced = wr.has(send_flag::kFence);
  message->solicited = wr.has(send_flag::kSolicited);
  message->remote_addr = wr.remote_addr;
  message->rkey = wr.rkey;
  message->imm_data = wr.imm_data;
  message->compare_add = wr.compare_add;
  message->swap = wr.swap;
  message->flush = wr.flush;
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
  if (qp.far != nullptr) message->far_sequence = qp.far_sequence++;
  const bool straight = IsStraight(qp) && qp.state() != QpState::kErr;
  qp.outstanding.push_back(std::move(message));
  if (straight) {
    SendOut(qp);
    return 0;
  }
  MarkBusy(qp);
  Settle();
  return 0;
}

std::unique_ptr<Message> Fabric::NewMessage() {
  if (spare_.empty()) return std::make_unique<Message>();
  auto message = std::move(spare_.back());
  spare_.pop_back();
  return message;
}

void Fabric::Recycle(std::unique_ptr<Message> message) {
  constexpr size_t kMostSpare = 1024;
  if (spare_.size() == kMostSpare) return;
  message->Clear();
  spare_.push_back(std::move(message));
}

int Fabric::PostRecv(Qp& qp, const RecvWr& wr) {
  if (qp.too_early_to_receive()) return device_.profile().post_recv_in_reset;
  if (const int error = qp.CheckPostRecv(wr)) return error;
  ++counts_.recvs_posted;
  qp.recvs().Post(wr);
  if (qp.state() == QpState::kErr) [[unlikely]] {
    FlushRecvs(qp);
  }
  if (!starving_.empty()) [[unlikely]] {
    FeedStarving();
  }
  Settle();
  return 0;
}

int Fabric::PostSrqRecv(Srq& srq, const RecvWr& wr) {
  if (wr.sges.size() > srq.queue.max_sge()) return EINVAL;
  if (srq.queue.full()) return ENOMEM;
  ++counts_.recvs_posted;
  srq.queue.Post(wr);
  if (!starving_.empty()) [[unlikely]] {
    FeedStarving();
  }
  Settle();
  return 0;
}

int Fabric::ModifyQp(Qp& qp, const QpAttr& attr, uint32_t mask) {
  const QpState to = (mask & qp_mask::kState) ? attr.state : qp.state();
  const uint32_t rest = mask & ~qp_mask::kState;
  if (const int error = CheckTransition(qp.state(), to, rest)) return error;
  if (const int error = CheckValues(qp.attr(), attr, rest, device_.limits().max_rd_atomic)) {
    return error;
  }
  qp.drain_notify =
      to == QpState::kSqd && (rest & qp_mask::kEnSqdAsyncNotify) && attr.en_sqd_async_notify;
  ApplyAttributes(attr, rest, qp.attr());
  if (to == QpState::kReset) {
    Reset(qp);
  } else if (to == QpState::kErr) {
    EnterError(qp, 0);
  } else {
    qp.set_state(to);
    if (to == QpState::kRtr) MeetPeer(qp);
    if (qp.far != nullptr) SendOut(qp);
  }
  Settle();
  TellDrained(qp);
  return 0;
}

bool Fabric::Draining(const Qp& qp) const {
  return qp.state() == QpState::kSqd &&
         std::any_of(qp.outstanding.begin(), qp.outstanding.end(),
                     [](const auto& message) { return message->started && !message->completed; });
}

void Fabric::TellDrained(Qp& qp) {
  if (!qp.drain_notify || qp.state() != QpState::kSqd || Draining(qp)) return;
  qp.drain_notify = false;
  Raise({.type = AsyncEventType::kSqDrained, .qp = &qp});
}

void Fabric::Reset(Qp& qp) {
  LeaveFar(qp);
  Abandon(qp);
  Forget(qp);
  ReleaseCompletions(qp);
  qp.Reset();
}

void Fabric::DestroyQp(Qp& qp) {
  LeaveFar(qp);
  Abandon(qp);
  Forget(qp);
  ReleaseCompletions(qp);
  Settle();
}

void Fabric::Abandon(Qp& qp) {
  for (auto& message : qp.outstanding) {
    message->requester = nullptr;
    if (message->landing()) message->pieces.clear();
    message->decided = message->completed = true;
    if (!message->done()) orphans_.push_back(std::move(message));
  }
  qp.outstanding.clear();
  qp.busy = false;
  std::erase(busy_, &qp);
}

void Fabric::Forget(Qp& qp) {
  ForEachMessage([&](Message& message) {
    if (!message.recv || message.recv->completed || message.recv->responder != &qp) return;
    *message.recv = {nullptr, message.recv->wr_id, /*completed=*/true};
    qp.recvs().FreeSlot();
  });
  DropDoneOrphans();
}

// The CQs forget the queue pair; what it took from a shared receive queue goes back there.
void Fabric::ReleaseCompletions(Qp& qp) {
  const auto release = [&](Cq& cq) {
    return device_.profile().completions_outlive_their_qp ? cq.Reassign(&qp, nobody_)
                                                          : cq.Purge(&qp);
  };
  uint32_t receives = release(qp.recv_cq());
  if (&qp.send_cq() != &qp.recv_cq()) receives += release(qp.send_cq());
  for (; receives > 0; --receives) qp.recvs().FreeSlot();
}

void Fabric::BeforeDereg(const Mr& mr) {
  ForEachMessage([&](Message& message) {
    for (size_t i = message.pieces.size(); i-- > 0;) {
      if (message.pieces[i].mr == &mr) Place(message, i);
    }
  });
  DropDoneOrphans();
  ForgetUnpersisted(mr);
}

void Fabric::BeforeDestroy(const Cq& cq) { std::erase(owing_, &cq); }

void Fabric::set_eager(bool eager) {
  if (!eager) {
    device_.ForEachQp([this](Qp& qp) {
      if (qp.far != nullptr && !qp.outstanding.empty()) MoveInSteps(qp);
    });
  }
  eager_ = eager;
  ChooseWay();
  moves_on_poll_ = !eager || packets_come_;
  Settle();
}

void Fabric::MarkBusy(Qp& qp) {
  if (qp.busy) return;
  qp.busy = true;
  busy_.push_back(&qp);
}

void Fabric::Settle() {
  unsettled_ = false;
  const bool idle = busy_.empty() && owing_.empty() && orphans_.empty();
  if (!eager_ || idle || settling_) return;
  settling_ = true;
  RunInOrder();
  settling_ = false;
}

}  // namespace fakenic
