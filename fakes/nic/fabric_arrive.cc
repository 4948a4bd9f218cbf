// Requests from another fabric: same checks, same placement and same order of effects as for those
// from here. A request that cannot be taken now is turned away, and its requester told when to send
// it again, so that nothing has to be kept here for it.
#include <algorithm>
#include <utility>

#include "nic/fabric.h"
#include "nic/transfer.h"

namespace fakenic {

void Fabric::Arrive(const PacketHeader& header, std::span<const std::byte> payload) {
  if (header.kind == PacketKind::kRequest) return TakeRequest(header, payload);
  Qp* qp = device_.FindQp(header.to_qp);
  if (qp == nullptr || qp->far == nullptr || qp->attr().dest_qp_num != header.from_qp) return;
  switch (header.kind) {
    case PacketKind::kRequestMore:
      return TakeMore(header, payload);
    case PacketKind::kAnswer:
      return TakeAnswer(*qp, header, payload);
    case PacketKind::kNotReady:
      return Hold(*qp, header);
    case PacketKind::kResume:
      if (!Rewind(*qp, header.sequence)) return;
      qp->far->held = false;
      RestartFarTimer(*qp);
      return SendOut(*qp);
    default:
      return;
  }
}

void Fabric::TakeRequest(const PacketHeader& header, std::span<const std::byte> payload) {
  Qp* found = device_.FindQp(header.to_qp);
  if (found == nullptr) return;
  Qp& responder = *found;
  if (responder.far == nullptr || !responder.Answers(header.from_qp)) {
    if (responder.state() == QpState::kReset || responder.state() == QpState::kInit) {
      TurnAway(responder, header);
    }
    return;
  }
  FarEnd& far = *responder.far;
  const bool first = header.has(packet_flag::kFirst);
  if (far.in_sequence && header.sequence != far.expected && !first) return;
  far.in_sequence = true;
  far.expected = header.sequence;
  const auto opcode = static_cast<WrOpcode>(header.opcode);
  if (ConsumesReceive(opcode) && !HasReceiveFor(responder) &&
      CheckOperation(responder, opcode, header.addr, header.key, header.length).ok()) {
    if (!std::exchange(far.starving, true)) starving_.push_back(&responder);
    Reply(responder, {.header = {.kind = PacketKind::kNotReady,
                                 .sequence = header.sequence,
                                 .key = responder.attr().min_rnr_timer}});
    return;
  }
  ++far.expected;
  if (responder.state() == QpState::kRtr) Establish(responder);
  Begin(responder, header);
  if (far.arriving.active) PlaceArriving(responder, payload);
}

// It may become ready, and then asks for the message.
void Fabric::TurnAway(Qp& responder, const PacketHeader& header) {
  auto& away = responder.turned_away;
  if (away && away->requester == header.from_qp && !header.has(packet_flag::kFirst)) return;
  away = TurnedAway{header.from_qp, header.sequence};
}

bool Fabric::HasReceiveFor(Qp& responder) const {
  const FarEnd& far = *responder.far;
  size_t spoken_for = 0;
  if (far.stand_in != nullptr) {
    const auto& all = far.stand_in->outstanding;
    spoken_for = static_cast<size_t>(std::count_if(all.begin(), all.end(), [](const auto& other) {
      return ConsumesReceive(other->opcode) && !other->delivered;
    }));
  }
  return responder.recvs().waiting() > spoken_for;
}

// Checks the message as its first packet shows it.
void Fabric::Begin(Qp& responder, const PacketHeader& header) {
  Arriving& arriving = responder.far->arriving;
  if (arriving.active) {  // the rest of an earlier message never came
    RefuseArriving(responder, {WcStatus::kRemInvReqErr, Cause::kCutShort});
    return;
  }
  arriving.header = header;
  arriving.received = 0;
  arriving.recv_wr_id.reset();
  arriving.recv_sges.clear();
  arriving.bytes.clear();
  arriving.in_steps = !eager_ || (responder.far->stand_in != nullptr &&
                                  !responder.far->stand_in->outstanding.empty());
  arriving.active = true;
  const auto opcode = static_cast<WrOpcode>(header.opcode);
  if (arriving.in_steps) return;
  if (IsAnsweredWithData(opcode)) {
    arriving.active = false;
    AnswerAtOnce(responder, header);
    return;
  }
  const Verdict verdict =
      ConsumesReceive(opcode) ? BeginReceive(responder, header) : CheckArriving(responder);
  if (!verdict.ok()) [[unlikely]] {
    RefuseArriving(responder, verdict);
  }
}

Verdict Fabric::BeginReceive(Qp& responder, const PacketHeader& header) {
  const Verdict operation = CheckOperation(responder, static_cast<WrOpcode>(header.opcode),
                                           header.addr, header.key, header.length);
  if (!operation.ok()) return operation;
  Arriving& arriving = responder.far->arriving;
  const RecvWr recv = TakeRecv(responder);
  arriving.recv_wr_id = recv.wr_id;
  arriving.recv_sges.assign(recv.sges.begin(), recv.sges.end());
  return CheckArriving(responder);
}

// What every packet of a message is checked for, as regions may go while it arrives.
Verdict Fabric::CheckArriving(Qp& responder) const {
  const Arriving& arriving = responder.far->arriving;
  const PacketHeader& header = arriving.header;
  const auto opcode = static_cast<WrOpcode>(header.opcode);
  if (opcode == WrOpcode::kFlush) {
    return CheckFlush(device_, responder, header.addr, header.key, FlushOf(header));
  }
  const Mr* mr = nullptr;
  if (!arriving.recv_wr_id) {
    return CheckTarget(device_, responder, opcode, header.addr, header.key, header.length, &mr);
  }
  return CheckArrival(device_, responder, opcode, header.addr, header.key, header.length,
                      arriving.recv_sges, &mr)
      .answer;
}

void Fabric::TakeMore(const PacketHeader& header, std::span<const std::byte> payload) {
  Qp& responder = *device_.FindQp(header.to_qp);
  const Arriving& arriving = responder.far->arriving;
  if (!arriving.active || arriving.header.sequence != header.sequence ||
      arriving.received != header.offset || arriving.header.length != header.length) {
    return;
  }
  if (!arriving.in_steps) {
    const Verdict verdict = CheckArriving(responder);
    if (!verdict.ok()) {
      RefuseArriving(responder, verdict);
      return;
    }
  }
  PlaceArriving(responder, payload);
}

void Fabric::PlaceArriving(Qp& responder, std::span<const std::byte> payload) {
  Arriving& arriving = responder.far->arriving;
  const auto opcode = static_cast<WrOpcode>(arriving.header.opcode);
  if (arriving.in_steps) {
    arriving.bytes.insert(arriving.bytes.end(), payload.begin(), payload.end());
  } else if (IsSend(opcode)) {
    Placing(arriving.header.from_qp, arriving.recv_sges, arriving.received, payload.size());
    PlaceInto(arriving.recv_sges, arriving.received, payload);
  } else if (!payload.empty()) {
    const uint64_t target = arriving.header.addr + arriving.received;
    Placing(arriving.header.from_qp, target, payload.size());
    PlaceBytes(target, payload.data(), payload.size());
  }
  arriving.received += payload.size();
  const uint64_t bytes = IsAnsweredWithData(opcode) ? 0 : arriving.header.length;
  if (arriving.received < bytes) return;
  arriving.active = false;
  if (arriving.in_steps) {
    DeliverInSteps(responder);
  } else {
    FinishArriving(responder);
  }
}

void Fabric::FinishArriving(Qp& responder) {
  const Arriving& arriving = responder.far->arriving;
  const auto opcode = static_cast<WrOpcode>(arriving.header.opcode);
  if (opcode == WrOpcode::kSendWithInv) {  // see RefuseToInvalidate
    const Verdict verdict{
        WcStatus::kLocAccessErr, Cause::kInvalidateKey, {}, arriving.header.imm_data};
    RefuseReceive(responder, *arriving.recv_wr_id, verdict, verdict);
    Settle();
    return;
  }
  if (opcode == WrOpcode::kFlush) {
    const PacketHeader& header = arriving.header;
    Flushed(header.from_qp, header.addr, header.key, FlushOf(header));
  }
  if (arriving.recv_wr_id) {
    CompleteRecv(responder, *arriving.recv_wr_id, {},
                 {opcode, arriving.header.imm_data, arriving.header.length,
                  arriving.header.has(packet_flag::kSolicited)});
  }
  Reply(responder, {.header = {.sequence = arriving.header.sequence}});
  if (unsettled_) Settle();
}

// The responder is in error before the requester hears of it.
void Fabric::RefuseArriving(Qp& responder, const Verdict& verdict) {
  Arriving& arriving = responder.far->arriving;
  arriving.active = false;
  PendingAnswer answer{.header = {.sequence = arriving.header.sequence}};
  SetVerdict(verdict, answer.header);
  if (arriving.recv_wr_id) {
    const Mr* mr = nullptr;
    const PacketHeader& header = arriving.header;
    Verdict receive = CheckArrival(device_, responder, static_cast<WrOpcode>(header.opcode),
                                   header.addr, header.key, header.length, arriving.recv_sges, &mr)
                          .receive;
    if (receive.ok()) receive = verdict;
    RefuseReceive(responder, *arriving.recv_wr_id, receive, verdict);
  } else {
    Refuse(responder, verdict);
  }
  Reply(responder, std::move(answer));
  Settle();
}

// Reads and atomics.
void Fabric::AnswerAtOnce(Qp& responder, const PacketHeader& header) {
  const auto opcode = static_cast<WrOpcode>(header.opcode);
  const Mr* mr = nullptr;
  const Verdict target =
      CheckTarget(device_, responder, opcode, header.addr, header.key, header.length, &mr);
  if (!target.ok()) {
    responder.far->arriving.header = header;
    RefuseArriving(responder, target);
    return;
  }
  PendingAnswer answer{
      .header = {.sequence = header.sequence, .addr = header.addr, .length = header.length}};
  if (IsAtomic(opcode)) {
    uint64_t found;
    PlaceBytes(reinterpret_cast<uintptr_t>(&found), reinterpret_cast<const void*>(header.addr), 8);
    const uint64_t stored = AtomicResult(opcode, found, /*compare_add=*/header.offset, header.swap);
    Placing(header.from_qp, header.addr, 8);
    PlaceBytes(header.addr, &stored, 8);
    const auto* bytes = reinterpret_cast<const std::byte*>(&found);
    answer.bytes.assign(bytes, bytes + sizeof found);
  } else {
    HasRead(header.from_qp, header.length);
    answer.header.key = header.key;
    answer.from_memory = true;
  }
  Reply(responder, std::move(answer));
}

// The message waits for its steps, in the send queue of a stand-in for its requester.
void Fabric::DeliverInSteps(Qp& responder) {
  FarEnd& far = *responder.far;
  const PacketHeader& header = far.arriving.header;
  if (far.stand_in == nullptr) {
    far.stand_in = std::make_unique<Qp>(QpInit{});
    far.stand_in->stands_in_for = &responder;
    far.stand_in->num = header.from_qp;
    QpAttr& attr = far.stand_in->attr();
    attr.state = QpState::kRts;
    attr.dest_qp_num = responder.num;
    attr.rnr_retry = 7;  // and a time-out of 0: its requester looks after the time
    attr.max_rd_atomic = 255;
  }
  auto message = NewMessage();
  message->requester = far.stand_in.get();
  message->flow = header.from_qp;
  message->sequence = next_sequence_++;
  message->position = far.stand_in->ClaimSendSlot();
  message->wr_id = message->far_sequence = header.sequence;
  message->opcode = static_cast<WrOpcode>(header.opcode);
  message->solicited = header.has(packet_flag::kSolicited);
  message->remote_addr = header.addr;
  message->rkey = header.key;
  message->imm_data = header.imm_data;
  message->compare_add = header.offset;
  message->swap = header.swap;
  if (message->is_flush()) message->flush = FlushOf(header);
  message->length = header.length;
  message->payload.assign(far.arriving.bytes.begin(), far.arriving.bytes.end());
  far.stand_in->outstanding.push_back(std::move(message));
  MarkBusy(*far.stand_in);
  Settle();
}

void Fabric::ReplyInSteps(Message& message) {
  Qp& responder = *message.requester->stands_in_for;
  PendingAnswer answer{.header = {.sequence = message.far_sequence}};
  SetVerdict(message.answer, answer.header);
  if (message.answer.ok() && message.answered_with_data()) {
    answer.header.length = message.length;
    answer.bytes = message.payload;
  }
  Decide(message, {});
  message.completed = true;
  Reply(responder, std::move(answer));
}

void Fabric::Reply(Qp& responder, PendingAnswer answer) {
  if (answer.header.kind == PacketKind::kRequest) answer.header.kind = PacketKind::kAnswer;
  answer.header.from_qp = responder.num;
  answer.header.to_qp = responder.attr().dest_qp_num;
  auto& answers = responder.far->answers;
  if (answers.empty() && SendAnswer(responder, answer)) return;
  answers.push_back(std::move(answer));
  MarkStuck(responder);
}

// False if not all of it could be sent; header.offset says how far it is.
bool Fabric::SendAnswer(Qp& responder, PendingAnswer& answer) {
  PacketHeader& header = answer.header;
  const bool data = answer.from_memory || !answer.bytes.empty();
  const uint64_t bytes = data ? header.length : 0;
  do {
    if (answer.from_memory) {
      const Mr* mr = nullptr;
      const Verdict verdict = CheckTarget(device_, responder, WrOpcode::kRdmaRead, header.addr,
                                          header.key, header.length, &mr);
      if (!verdict.ok()) {  // the region has gone
        answer = {.header = {.kind = header.kind,
                             .from_qp = header.from_qp,
                             .to_qp = header.to_qp,
                             .sequence = header.sequence}};
        SetVerdict(verdict, header);
        Refuse(responder, verdict);
        return remote_->Send(header, {});
      }
    }
    header.payload = static_cast<uint32_t>(std::min<uint64_t>(kMaxPayload, bytes - header.offset));
    const uint64_t from =
        answer.from_memory ? header.addr : reinterpret_cast<uintptr_t>(answer.bytes.data());
    const Sge range{from + header.offset, header.payload, 0};
    PacketHeader sent = header;
    if (answer.from_memory) sent.addr = sent.key = 0;
    if (!remote_->Send(sent, std::span(&range, header.payload > 0 ? 1 : 0))) return false;
    header.offset += header.payload;
  } while (header.offset < bytes);
  return true;
}

void Fabric::SendAnswers(Qp& responder) {
  auto& answers = responder.far->answers;
  while (!answers.empty()) {
    if (!SendAnswer(responder, answers.front())) {
      MarkStuck(responder);
      return;
    }
    answers.pop_front();
  }
}

// A receive was posted somewhere: whoever now has one asks for the message that it turned away.
void Fabric::FeedStarving() {
  std::erase_if(starving_, [&](Qp* qp) {
    if (!HasReceiveFor(*qp)) return false;
    qp->far->starving = false;
    Reply(*qp, {.header = {.kind = PacketKind::kResume, .sequence = qp->far->expected}});
    return true;
  });
}

// In error, destroyed or reset: what it has found out is still told, what it would have to read is
// not.
void Fabric::StopAnswering(Qp& responder) {
  FarEnd& far = *responder.far;
  std::erase_if(far.answers, [](const PendingAnswer& answer) { return answer.from_memory; });
  if (std::exchange(far.starving, false)) std::erase(starving_, &responder);
  DropArriving(responder);
  if (far.stand_in != nullptr) DropUndelivered(*far.stand_in);
}

// The receive that a message in transit has consumed is flushed, or goes with its queue.
void Fabric::DropArriving(Qp& responder) {
  Arriving& arriving = responder.far->arriving;
  if (!std::exchange(arriving.active, false) || !arriving.recv_wr_id) return;
  if (responder.state() == QpState::kErr) {
    CompleteRecv(responder, *arriving.recv_wr_id, {WcStatus::kWrFlushErr, Cause::kFlushed}, {});
  } else {
    responder.recvs().FreeSlot();
  }
}

void Fabric::DropUndelivered(Qp& stand_in) {
  std::erase_if(stand_in.outstanding, [](const auto& message) { return !message->delivered; });
  DropDone(stand_in);
}

}  // namespace fakenic
