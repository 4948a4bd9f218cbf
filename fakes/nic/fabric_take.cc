// What each step does.
#include <algorithm>

#include "nic/fabric.h"
#include "nic/transfer.h"

namespace fakenic {
namespace {

constexpr uint64_t kFetchUnit = 4096;  // one packet
constexpr uint64_t kLine = 64;         // memory is written by lines, and short messages by words
constexpr uint64_t kWord = 8;

// Adds the parts in which a range reaches memory: never smaller than an aligned word, except at its
// ragged ends.
void Cut(const Mr* mr, uint64_t addr, uint64_t first_offset, uint64_t length,
         std::vector<Piece>& pieces) {
  const uint64_t unit = length <= kLine ? kWord : kLine;
  for (uint64_t offset = 0; offset < length;) {
    const uint64_t to_boundary = unit - (addr + offset) % unit;
    const uint64_t size = std::min(to_boundary, length - offset);
    pieces.push_back({mr, addr + offset, first_offset + offset, size});
    offset += size;
  }
}

// The same for the first bytes of a list.
void CutSges(const Device& device, std::span<const Sge> sges, uint64_t length,
             std::vector<Piece>& pieces) {
  uint64_t offset = 0;
  for (const Sge& sge : sges) {
    const uint64_t part = std::min<uint64_t>(sge.length, length - offset);
    if (part > 0) Cut(device.FindMr(sge.lkey), sge.addr, offset, part, pieces);
    offset += part;
  }
}

}  // namespace

void Fabric::Take(const Step& step) {
  if (step.kind == StepKind::kRaise) {
    step.cq->RaiseEvent();
    if (step.cq->events_owed() == 0) std::erase(owing_, step.cq);
    return;
  }
  Message& message = *step.message;
  Qp* requester = message.requester;
  switch (step.kind) {
    case StepKind::kFetch:
      Fetch(message);
      break;
    case StepKind::kDeliver:
      Deliver(message);
      break;
    case StepKind::kExecute:
    case StepKind::kFlush:
      Execute(message);
      break;
    case StepKind::kPlace:
    case StepKind::kPlaceWord:
    case StepKind::kLand:
      Place(message, step.piece);
      break;
    case StepKind::kReceive:
      Receive(message);
      break;
    case StepKind::kAcknowledge:
      Acknowledge(message);
      break;
    case StepKind::kComplete:
      CompleteMessage(message);
      break;
    case StepKind::kRepeat:
      Repeat(message);
      break;
    case StepKind::kRaise:
      break;
  }
  if (requester != nullptr) {
    DropDone(*requester);
    TellDrained(*requester);
  } else {
    DropDoneOrphans();
  }
}

void Fabric::Decide(Message& message, const Verdict& verdict) {
  if (message.landing()) message.pieces.clear();  // the memory is the program's again
  message.decided = true;
  message.outcome = verdict;
  message.wait = Wait::kNone;
  message.deadline = 0;
}

void Fabric::FailLocally(Message& message, const Verdict& verdict) {
  RecordCause(*message.requester, message.wr_id, verdict);
  Decide(message, verdict);
  EnterError(*message.requester, message.position + 1);
}

void Fabric::Fetch(Message& message) {
  message.started = true;
  Verdict source = CheckLength(message.opcode, message.length);
  if (source.ok()) source = CheckLocal(device_, message.requester->pd(), message.sges);
  if (!source.ok()) {
    FailLocally(message, source);
    return;
  }
  uint64_t skip = message.payload.size();
  uint64_t room = kFetchUnit;
  for (const Sge& sge : message.sges) {
    if (skip >= sge.length) {
      skip -= sge.length;
      continue;
    }
    const uint64_t size = std::min(room, sge.length - skip);
    const auto* bytes = reinterpret_cast<const std::byte*>(sge.addr + skip);
    message.payload.insert(message.payload.end(), bytes, bytes + size);
    room -= size;
    skip = 0;
    if (room == 0) break;
  }
}

void Fabric::Deliver(Message& message) {
  message.started = true;
  if (const Verdict own = CheckLength(message.opcode, message.length); !own.ok()) {
    FailLocally(message, own);
    return;
  }
  if (message.requester->far != nullptr) {
    message.delivered = true;
    SendOut(*message.requester);
    return;
  }
  Qp& responder = *ReachResponder(message);
  message.delivered = true;
  if (responder.state() == QpState::kRtr) Establish(responder);
  Verdict verdict =
      message.is_flush()
          ? CheckFlush(device_, responder, message.remote_addr, message.rkey, message.flush)
          : CheckOperation(responder, message.opcode, message.remote_addr, message.rkey,
                           message.length);
  if (verdict.ok() && ReadsAt(message) > responder.attr().max_dest_rd_atomic) {
    verdict = {
        WcStatus::kRemInvReqErr, Cause::kNoReadResources, {}, responder.attr().max_dest_rd_atomic};
  }
  if (verdict.ok() && ConsumesReceive(message.opcode)) {
    DeliverToReceive(message, responder);
    return;
  }
  const Mr* mr = nullptr;
  if (verdict.ok()) {
    verdict = CheckRange(device_, responder, message.opcode, message.remote_addr, message.rkey,
                         message.length, &mr);
  }
  if (!verdict.ok()) {
    message.answer = verdict;
    ExecuteBefore(message);
    Refuse(responder, verdict);
  } else if (!message.answered_with_data()) {
    Cut(mr, message.remote_addr, 0, message.length, message.pieces);
  }
}

// How many reads and atomics of the same requester the responder has at hand, this one included.
size_t Fabric::ReadsAt(const Message& message) const {
  if (!message.answered_with_data()) return 0;
  const auto& all = message.requester->outstanding;
  return static_cast<size_t>(std::count_if(all.begin(), all.end(), [](const auto& other) {
    return other->answered_with_data() && other->delivered && !other->answered && !other->decided;
  }));
}

void Fabric::DeliverToReceive(Message& message, Qp& responder) {
  if (responder.recvs().empty()) {  // and no retry is allowed
    message.answer = {WcStatus::kRnrRetryExcErr, Cause::kNoReceive};
    return;
  }
  const RecvWr recv = TakeRecv(responder);
  const Mr* mr = nullptr;
  const Arrival arrival = CheckArrival(device_, responder, message.opcode, message.remote_addr,
                                       message.rkey, message.length, recv.sges, &mr);
  if (!arrival.answer.ok()) {
    message.answer = arrival.answer;
    ExecuteBefore(message);
    RefuseReceive(responder, recv.wr_id, arrival.receive, arrival.answer);
    return;
  }
  if (IsSend(message.opcode)) {
    CutSges(device_, recv.sges, message.length, message.pieces);
  } else {
    Cut(mr, message.remote_addr, 0, message.length, message.pieces);
  }
  if (message.opcode == WrOpcode::kSendWithInv) {
    RefuseToInvalidate(message, responder, recv.wr_id);
  } else {
    message.recv = ConsumedRecv{&responder, recv.wr_id};
  }
}

// Nothing that a program can register here may be invalidated from afar. The bytes arrive, the
// receive fails, and the requester never hears of it.
void Fabric::RefuseToInvalidate(Message& message, Qp& responder, uint64_t recv_wr_id) {
  message.delivered = false;
  PlaceAll(message);
  const Verdict verdict{WcStatus::kLocAccessErr, Cause::kInvalidateKey, {}, message.imm_data};
  RefuseReceive(responder, recv_wr_id, verdict, verdict);
}

// Reads, atomics and flushes. The region may have gone since the request arrived, and the responder
// with it.
void Fabric::Execute(Message& message) {
  Qp* responder = device_.FindQp(message.requester->attr().dest_qp_num);
  if (responder == nullptr || !responder->Answers(message.requester->num)) {
    message.delivered = false;  // and is sent again, until the retries are used up
    return;
  }
  message.executed = true;
  const Mr* mr = nullptr;
  const Verdict verdict =
      message.is_flush()
          ? CheckFlush(device_, *responder, message.remote_addr, message.rkey, message.flush)
          : CheckTarget(device_, *responder, message.opcode, message.remote_addr, message.rkey,
                        message.length, &mr);
  if (!verdict.ok()) {
    message.answer = verdict;
    ExecuteBefore(message);
    Refuse(*responder, verdict);
    return;
  }
  if (message.is_flush()) {
    Flushed(message.flow, message.remote_addr, message.rkey, message.flush);
    return;
  }
  message.payload.resize(message.length);
  if (message.is_read()) HasRead(message.flow, message.length);
  if (message.is_atomic()) {
    uint64_t found;
    PlaceBytes(reinterpret_cast<uintptr_t>(&found),
               reinterpret_cast<const void*>(message.remote_addr), sizeof found);
    std::memcpy(message.payload.data(), &found, sizeof found);
    message.stored = AtomicResult(message.opcode, found, message.compare_add, message.swap);
    Cut(mr, message.remote_addr, 0, sizeof found, message.pieces);
    atomic_ = &message;
  } else if (message.length > 0) {
    std::memcpy(message.payload.data(), reinterpret_cast<const void*>(message.remote_addr),
                message.length);
  }
}

// Answers go out in order: before a message is refused, those before it have been answered.
void Fabric::ExecuteBefore(const Message& message) {
  for (auto& earlier : message.requester->outstanding) {
    if (earlier->position >= message.position) break;
    if (!earlier->landing()) PlaceAll(*earlier);
    if (!earlier->delivered || !earlier->answer.ok() || !earlier->execution_pending()) continue;
    if (earlier->is_atomic() && atomic_ != nullptr) PlaceAll(*atomic_);
    Execute(*earlier);
    if (earlier->is_atomic()) PlaceAll(*earlier);
  }
}

void Fabric::Place(Message& message, size_t piece) {
  const Piece part = message.pieces[piece];
  message.pieces.erase(message.pieces.begin() + static_cast<ptrdiff_t>(piece));
  if (!message.landing()) Placing(message.flow, part.addr, part.length);
  if (message.is_atomic() && !message.landing()) {
    PlaceBytes(part.addr, &message.stored, sizeof message.stored);
    atomic_ = nullptr;
    return;
  }
  PlaceBytes(part.addr, message.payload.data() + part.offset, part.length);
  if (message.landing() && message.pieces.empty()) Decide(message, {});
}

void Fabric::PlaceAll(Message& message) {
  while (!message.pieces.empty()) Place(message, 0);
}

void Fabric::Receive(Message& message) {
  message.recv->completed = true;
  CompleteRecv(*message.recv->responder, message.recv->wr_id, {},
               {message.opcode, message.imm_data, message.length, message.solicited});
}

// The source is read again, if it is not inline data.
void Fabric::Repeat(Message& message) {
  message.repeated = true;
  message.delivered = message.executed = false;
  if (!message.sges.empty()) message.payload.clear();
}

void Fabric::Acknowledge(Message& message) {
  message.answered = true;
  if (message.requester->stands_in_for != nullptr) {
    ReplyInSteps(message);
    return;
  }
  Verdict verdict = message.answer;
  if (verdict.ok() && message.answered_with_data()) {
    verdict = CheckLocal(device_, message.requester->pd(), message.sges, access_flag::kLocalWrite);
  }
  if (!verdict.ok()) {
    FailLocally(message, verdict);
  } else if (message.answered_with_data() && message.length > 0) {
    CutSges(device_, message.sges, message.length, message.pieces);
  } else {
    Decide(message, {});
  }
}

void Fabric::CompleteMessage(Message& message) {
  message.completed = true;
  if (!message.signaled && message.outcome.ok()) return;
  Complete(*message.requester, message.wr_id, message.opcode, message.position, message.outcome,
           message.answered_with_data() ? static_cast<uint32_t>(message.length) : 0);
}

void Fabric::DropDone(Qp& qp) {
  while (!qp.outstanding.empty() && qp.outstanding.front()->done()) qp.outstanding.pop_front();
  if (!qp.outstanding.empty()) return;
  qp.busy = false;
  std::erase(busy_, &qp);
}

void Fabric::DropDoneOrphans() {
  std::erase_if(orphans_, [](const auto& orphan) { return orphan->done(); });
}

}  // namespace fakenic
