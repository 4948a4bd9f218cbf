// Requests to a queue pair in another fabric, and their answers.
//
// Under the eager schedule such a message takes no steps: it is sent at once, from where its bytes
// are, and its answer lands and completes it. Whatever fails, and every other schedule, goes
// through the steps, of which the responder's are taken there.
#include <algorithm>

#include "nic/fabric.h"
#include "nic/retry_budget.h"
#include "nic/transfer.h"

namespace fakenic {
namespace {

// Whether the first is an earlier message than the second; the numbers wrap.
bool Before(uint32_t a, uint32_t b) { return static_cast<int32_t>(a - b) < 0; }

}  // namespace

// A queue pair learns who its peer is in the move to RTR.
void Fabric::MeetPeer(Qp& qp) {
  if (remote_ == nullptr || device_.OwnsQpNumber(qp.attr().dest_qp_num)) return;
  qp.far = std::make_unique<FarEnd>();
  qp.far->unsent = qp.far_sequence;
  for (auto& early : qp.outstanding) early->far_sequence = qp.far_sequence++;
  remote_->Expect();
  if (!qp.turned_away || qp.turned_away->requester != qp.attr().dest_qp_num) return;
  Reply(qp, {.header = {.kind = PacketKind::kResume, .sequence = qp.turned_away->sequence}});
}

// The requester's own checks, as Fetch() makes them.
Verdict Fabric::CheckOwn(const Qp& qp, const Message& message) const {
  const Verdict length = CheckLength(message.opcode, message.length);
  if (!length.ok() || message.answered_with_data() || !message.payload.empty()) return length;
  return CheckLocal(device_, qp.pd(), message.sges);
}

void Fabric::SendOut(Qp& qp) {
  FarEnd& far = *qp.far;
  if (far.held || qp.outstanding.empty()) return;
  if (Before(far.unsent, qp.outstanding.front()->far_sequence)) {
    far.unsent = qp.outstanding.front()->far_sequence;
    far.sent_bytes = 0;
  }
  size_t at = far.unsent - qp.outstanding.front()->far_sequence;
  for (; at < qp.outstanding.size(); ++at, ++far.unsent, far.sent_bytes = 0) {
    Message& message = *qp.outstanding[at];
    if (message.decided) continue;
    const bool may = qp.busy ? message.delivered : MaySetOut(message, far.reads);
    if (!may && far.sent_bytes == 0) return;
    const Verdict own = CheckOwn(qp, message);
    if (!own.ok()) [[unlikely]] {
      FailFar(qp, message, own);
      return;
    }
    message.started = true;
    const bool sent = Transmit(qp, message);
    if (far.deadline == 0) RestartFarTimer(qp);  // by now it travels: the clock costs no latency
    if (!sent) {
      MarkStuck(qp);
      return;
    }
    if (message.answered_with_data()) ++far.reads;
  }
}

// False if not all of it could be sent.
bool Fabric::Transmit(Qp& qp, Message& message) {
  FarEnd& far = *qp.far;
  const uint64_t bytes = message.answered_with_data() ? 0 : message.length;
  PacketHeader header{.opcode = static_cast<uint8_t>(message.opcode),
                      .from_qp = qp.num,
                      .to_qp = qp.attr().dest_qp_num,
                      .sequence = message.far_sequence,
                      .key = message.rkey,
                      .imm_data = message.imm_data,
                      .addr = message.remote_addr,
                      .length = message.length,
                      .swap = message.swap};
  if (message.is_flush()) SetFlush(message.flush, header);
  if (message.solicited) header.flags |= packet_flag::kSolicited;
  if (qp.outstanding.front().get() == &message) header.flags |= packet_flag::kFirst;
  do {
    header.kind = far.sent_bytes == 0 ? PacketKind::kRequest : PacketKind::kRequestMore;
    header.payload = static_cast<uint32_t>(std::min<uint64_t>(kMaxPayload, bytes - far.sent_bytes));
    header.offset = message.is_atomic() ? message.compare_add : far.sent_bytes;
    gathered_.clear();
    const Sge copy{reinterpret_cast<uintptr_t>(message.payload.data()),
                   static_cast<uint32_t>(message.payload.size()), 0};
    const std::span<const Sge> source =
        message.payload.empty() ? std::span<const Sge>(message.sges) : std::span(&copy, 1);
    Gather(source, far.sent_bytes, header.payload, gathered_);
    if (!remote_->Send(header, gathered_)) return false;
    far.sent_bytes += header.payload;
  } while (far.sent_bytes < bytes);
  return true;
}

void Fabric::SendAgain() {
  for (Qp* qp : std::exchange(stuck_, {})) {
    qp->far->stuck = false;
    SendAnswers(*qp);
    SendOut(*qp);
  }
}

void Fabric::MarkStuck(Qp& qp) {
  if (std::exchange(qp.far->stuck, true)) return;
  stuck_.push_back(&qp);
}

// From now on its messages take steps; those that are sent are delivered.
void Fabric::MoveInSteps(Qp& qp) {
  if (qp.busy) return;
  MarkBusy(qp);
  for (auto& message : qp.outstanding) {
    const bool begun = message->far_sequence == qp.far->unsent && qp.far->sent_bytes > 0;
    if (!begun && !Before(message->far_sequence, qp.far->unsent)) break;
    message->delivered = true;
    if (message->landed == 0) continue;
    const auto landed =
        std::exchange(message->landed, 0);  // what came already comes again, as bytes
    gathered_.clear();
    Gather(message->sges, 0, landed, gathered_);
    for (const Sge& range : gathered_) {
      const auto* bytes = reinterpret_cast<const std::byte*>(range.addr);
      message->payload.insert(message->payload.end(), bytes, bytes + range.length);
    }
    message->landed = landed;
  }
}

void Fabric::FailFar(Qp& qp, Message& message, const Verdict& verdict) {
  MoveInSteps(qp);
  FailLocally(message, verdict);
  Settle();
}

// The message with this number, if it is sent, a part of it at least, and has no outcome yet.
Message* Fabric::FindSent(Qp& qp, uint32_t sequence) {
  if (qp.outstanding.empty()) return nullptr;
  const size_t at = sequence - qp.outstanding.front()->far_sequence;
  const bool begun = sequence == qp.far->unsent && qp.far->sent_bytes > 0;
  if (at >= qp.outstanding.size() || (!begun && !Before(sequence, qp.far->unsent))) return nullptr;
  Message& message = *qp.outstanding[at];
  return message.decided ? nullptr : &message;
}

void Fabric::TakeAnswer(Qp& qp, const PacketHeader& header, std::span<const std::byte> payload) {
  Message* message = FindSent(qp, header.sequence);
  if (message == nullptr || message->replied) return;
  const Verdict verdict = VerdictOf(header);
  if (!verdict.ok()) MoveInSteps(qp);
  const bool data = verdict.ok() && message->answered_with_data();
  if (data && (header.length != message->length || header.offset != message->landed)) return;
  if (verdict.ok() && !data && !payload.empty()) return;
  if (qp.busy) {
    TakeAnswerInSteps(qp, *message, header, payload);
    return;
  }
  if (data) {
    const Verdict landing = CheckLocal(device_, qp.pd(), message->sges, access_flag::kLocalWrite);
    if (!landing.ok()) {
      FailFar(qp, *message, landing);
      return;
    }
    PlaceInto(message->sges, message->landed, payload);
    message->landed += payload.size();
    if (message->landed < message->length) {
      RestartFarTimer(qp);
      return;
    }
    --qp.far->reads;
  }
  message->decided = true;
  FinishFront(qp);
}

void Fabric::TakeAnswerInSteps(Qp& qp, Message& message, const PacketHeader& header,
                               std::span<const std::byte> payload) {
  message.answer = VerdictOf(header);
  if (message.answer.ok() && message.answered_with_data()) {
    message.answer = {};
    message.payload.insert(message.payload.end(), payload.begin(), payload.end());
    message.landed += payload.size();
    message.executed = message.landed == message.length;
    if (!message.executed) return;
    --qp.far->reads;
  }
  message.replied = true;
  RestartFarTimer(qp);
  Settle();
  if (qp.outstanding.empty()) SetFarDeadline(qp, 0);
}

// Completes what is decided, in order, and sends what waited for it.
void Fabric::FinishFront(Qp& qp) {
  while (!qp.outstanding.empty() && qp.outstanding.front()->decided) {
    auto message = std::move(qp.outstanding.front());
    qp.outstanding.pop_front();
    CompleteMessage(*message);
    Recycle(std::move(message));
    if (qp.busy) break;  // the CQ was full: the rest is flushed in steps
  }
  RestartFarTimer(qp);
  SendOut(qp);
  TellDrained(qp);
  if (unsettled_) Settle();
}

// The responder has no receive: nothing more is sent until it says so, or the retries are used up.
void Fabric::Hold(Qp& qp, const PacketHeader& header) {
  Message* message = FindSent(qp, header.sequence);
  if (message == nullptr) return;
  if (qp.attr().rnr_retry == 0) {
    FailFar(qp, *message, {WcStatus::kRnrRetryExcErr, Cause::kNoReceive});
    return;
  }
  Rewind(qp, header.sequence);
  qp.far->held = true;
  const uint64_t budget = RnrBudgetNs(qp.attr(), static_cast<uint8_t>(header.key));
  SetFarDeadline(qp, budget == 0 ? 0 : clock_.NowNs() + budget);
}

// Everything from this message on is sent again. False if it is none that was sent.
bool Fabric::Rewind(Qp& qp, uint32_t sequence) {
  if (qp.outstanding.empty() || Before(sequence, qp.outstanding.front()->far_sequence) ||
      Before(qp.far->unsent, sequence)) {
    return false;
  }
  qp.far->unsent = sequence;
  qp.far->sent_bytes = 0;
  qp.far->reads = static_cast<size_t>(
      std::count_if(qp.outstanding.begin(), qp.outstanding.end(), [&](const auto& message) {
        return message->answered_with_data() && !message->decided &&
               Before(message->far_sequence, sequence);
      }));
  return true;
}

void Fabric::SetFarDeadline(Qp& qp, uint64_t ns) {
  qp.far->deadline = ns;
  if (ns == 0) return;
  if (far_deadline_ == 0 || ns < far_deadline_) {
    far_deadline_ = ns;
    if (on_deadline) on_deadline();
  }
  if (!std::exchange(qp.far->awaiting, true)) awaiting_.push_back(&qp);
}

// From now on the oldest message may take its whole time.
void Fabric::RestartFarTimer(Qp& qp) {
  qp.far->respites = 0;
  const bool waits = !qp.outstanding.empty() && qp.outstanding.front()->started;
  const uint64_t budget = waits ? TransportBudgetNs(qp.attr(), device_.profile()) : 0;
  SetFarDeadline(qp, budget == 0 ? 0 : clock_.NowNs() + budget);
}

// A NIC answers whatever its machine does; here the responder is a process, which may have to wait
// for a processor for longer than all retries take. What it has looked at it could have answered.
bool Fabric::MayGetRespite(const Qp& qp) {
  constexpr unsigned kMost = 8;
  return qp.far->respites < kMost && !qp.far->held && remote_->IsStarved(qp.attr().dest_qp_num);
}

void Fabric::FireFarTimers(uint64_t now) {
  if (far_deadline_ == 0 || far_deadline_ > now) return;
  far_deadline_ = 0;
  for (Qp* qp : std::exchange(awaiting_, {})) {
    qp->far->awaiting = false;
    const uint64_t deadline = qp->far->deadline;
    if (deadline > now) SetFarDeadline(*qp, deadline);
    if (deadline == 0 || deadline > now) continue;
    qp->far->deadline = 0;
    const auto late = std::find_if(qp->outstanding.begin(), qp->outstanding.end(),
                                   [](const auto& message) { return !message->decided; });
    if (late == qp->outstanding.end() || !(*late)->started) continue;
    if (MayGetRespite(*qp)) {
      ++qp->far->respites;
      SetFarDeadline(*qp, now + TransportBudgetNs(qp->attr(), device_.profile()));
      continue;
    }
    MoveInSteps(*qp);
    FailLocally(**late, qp->far->held ? Verdict{WcStatus::kRnrRetryExcErr, Cause::kNoReceive}
                                      : Verdict{WcStatus::kRetryExcErr, Cause::kUnreachable});
  }
}

// The queue pair is destroyed or reset.
void Fabric::LeaveFar(Qp& qp) {
  if (qp.far == nullptr) return;
  StopAnswering(qp);
  if (qp.far->stand_in != nullptr) Abandon(*qp.far->stand_in);
  std::erase(stuck_, &qp);
  std::erase(awaiting_, &qp);
}

}  // namespace fakenic
