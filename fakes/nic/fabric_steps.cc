// The steps of a message: which are enabled, and what each does.
#include <algorithm>

#include "nic/fabric.h"
#include "nic/transfer.h"

namespace fakenic {
namespace {

constexpr uint64_t kFetchUnit = 4096;  // one packet
constexpr uint64_t kLine = 64;         // memory is written by lines, and short messages by words
constexpr uint64_t kWord = 8;

// The parts in which a message reaches memory: never smaller than an aligned word, except at its
// ragged ends.
std::vector<Piece> Cut(const Mr* mr, uint64_t addr, uint64_t first_offset, uint64_t length) {
  const uint64_t unit = length <= kLine ? kWord : kLine;
  std::vector<Piece> pieces;
  for (uint64_t offset = 0; offset < length;) {
    const uint64_t to_boundary = unit - (addr + offset) % unit;
    const uint64_t size = std::min(to_boundary, length - offset);
    pieces.push_back({mr, addr + offset, first_offset + offset, size});
    offset += size;
  }
  return pieces;
}

// 4.096 us * 2^timeout, once for each transmission; 0 means that the requester waits for ever.
uint64_t RetryBudgetNs(const QpAttr& attr) {
  if (attr.timeout == 0) return 0;
  return (uint64_t{4096} << attr.timeout) * (attr.retry_cnt + 1u);
}

}  // namespace

Qp* Fabric::ReachResponder(Message& message) {
  const Qp& requester = *message.requester;
  Qp* responder = device_.FindQp(requester.attr().dest_qp_num);
  if (responder != nullptr && responder->Answers(requester.num)) {
    message.retry_deadline = 0;
    return responder;
  }
  const uint64_t budget = RetryBudgetNs(requester.attr());
  if (message.retry_deadline == 0 && budget != 0) message.retry_deadline = clock_.NowNs() + budget;
  return nullptr;
}

bool Fabric::ReadsAllow(const Qp& qp, size_t index) const {
  const Message& message = *qp.outstanding[index];
  if (!message.fenced && !message.is_read()) return true;
  size_t reads = 0;
  for (size_t i = 0; i < index; ++i) {
    reads += qp.outstanding[i]->is_read() && !qp.outstanding[i]->decided;
  }
  return reads < (message.fenced ? 1 : qp.attr().max_rd_atomic);
}

bool Fabric::Enabled(const Qp& qp, size_t index, StepKind kind) {
  Message& message = *qp.outstanding[index];
  for (size_t i = 0; i < index; ++i) {
    for (size_t step = 0; step < kStepKinds; ++step) {
      const auto earlier = static_cast<StepKind>(step);
      if (qp.outstanding[i]->Pending(earlier) && !MayOvertake(kind, earlier)) return false;
    }
  }
  switch (kind) {
    case StepKind::kFetch:
      return message.Pending(kind) && qp.state() != QpState::kSqd && ReadsAllow(qp, index);
    case StepKind::kDeliver:
      return message.Pending(kind) && message.fetched() && qp.state() != QpState::kSqd &&
             ReadsAllow(qp, index) && ReachResponder(message) != nullptr;
    case StepKind::kExecute:
      return message.Pending(kind) && message.delivered && message.answer.ok();
    case StepKind::kPlace:
      return !message.is_read() && !message.pieces.empty();
    case StepKind::kAcknowledge:
      return message.Pending(kind) && message.delivered &&
             (!message.is_read() || message.executed || !message.answer.ok());
    case StepKind::kLand:
      return message.is_read() && !message.pieces.empty();
    case StepKind::kComplete:
      return message.Pending(kind) && message.decided;
    case StepKind::kRaise:
      break;
  }
  return false;
}

void Fabric::AppendEnabled(Qp& qp, size_t index, std::vector<Step>& steps) {
  Message* message = qp.outstanding[index].get();
  for (size_t i = 0; i < kStepKinds; ++i) {
    const auto kind = static_cast<StepKind>(i);
    if (!Enabled(qp, index, kind)) continue;
    const bool in_pieces = kind == StepKind::kPlace || kind == StepKind::kLand;
    const size_t ways = in_pieces ? message->pieces.size() : 1;
    for (size_t piece = 0; piece < ways; ++piece) steps.push_back({kind, message, piece, nullptr});
  }
}

std::vector<Step> Fabric::EnabledSteps() {
  std::vector<Step> steps;
  for (Cq* cq : owing_) steps.push_back({StepKind::kRaise, nullptr, 0, cq});
  for (auto& orphan : orphans_) {
    for (size_t i = 0; i < orphan->pieces.size(); ++i) {
      steps.push_back({StepKind::kPlace, orphan.get(), i, nullptr});
    }
  }
  for (Qp* qp : busy_) {
    for (size_t i = 0; i < qp->outstanding.size(); ++i) AppendEnabled(*qp, i, steps);
  }
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    const uint64_t age_a = a.message != nullptr ? a.message->sequence : 0;
    const uint64_t age_b = b.message != nullptr ? b.message->sequence : 0;
    return age_a < age_b;
  });
  return steps;
}

std::optional<Step> Fabric::FirstEnabled(Qp& qp) {
  for (size_t i = 0; i < qp.outstanding.size(); ++i) {
    for (size_t k = 0; k < kStepKinds; ++k) {
      const auto kind = static_cast<StepKind>(k);
      if (Enabled(qp, i, kind)) return Step{kind, qp.outstanding[i].get(), 0, nullptr};
    }
  }
  return std::nullopt;
}

size_t Fabric::RunInOrder() {
  size_t taken = 0;
  for (bool progress = true; progress;) {
    progress = false;
    const std::vector<Qp*> busy = busy_;
    for (Qp* qp : busy) {
      while (auto step = FirstEnabled(*qp)) {
        Take(*step);
        progress = true;
        ++taken;
      }
    }
    while (!orphans_.empty() || !owing_.empty()) {
      Take(orphans_.empty() ? Step{StepKind::kRaise, nullptr, 0, owing_.front()}
                            : Step{StepKind::kPlace, orphans_.front().get(), 0, nullptr});
      progress = true;
      ++taken;
    }
  }
  return taken;
}

void Fabric::Take(const Step& step) {
  if (step.kind == StepKind::kRaise) {
    step.cq->RaiseEvent();
    if (step.cq->events_owed() == 0) std::erase(owing_, step.cq);
    return;
  }
  Qp* requester = step.message->requester;
  switch (step.kind) {
    case StepKind::kFetch:
      Fetch(*step.message);
      break;
    case StepKind::kDeliver:
      Deliver(*step.message);
      break;
    case StepKind::kExecute:
      Execute(*step.message);
      break;
    case StepKind::kPlace:
    case StepKind::kLand:
      Place(*step.message, step.piece);
      break;
    case StepKind::kAcknowledge:
      Acknowledge(*step.message);
      break;
    case StepKind::kComplete:
      CompleteMessage(*step.message);
      break;
    case StepKind::kRaise:
      break;
  }
  if (requester != nullptr) {
    DropDone(*requester);
  } else {
    std::erase_if(orphans_, [](const auto& orphan) { return orphan->done(); });
  }
}

void Fabric::Decide(Message& message, const Verdict& verdict) {
  message.decided = true;
  message.outcome = verdict;
  message.retry_deadline = 0;
  if (message.is_read()) message.pieces.clear();  // the memory is the program's again
}

void Fabric::Fetch(Message& message) {
  Qp& requester = *message.requester;
  const Verdict source = CheckLocal(device_, requester.pd(), message.sges);
  if (!source.ok()) {
    RecordCause(requester, message.wr_id, source);
    Decide(message, source);
    EnterError(requester, message.position + 1);
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
  Qp& responder = *ReachResponder(message);
  const Mr* mr = nullptr;
  message.delivered = true;
  const Verdict verdict = CheckTarget(device_, responder, message.opcode, message.remote_addr,
                                      message.rkey, message.length, &mr);
  if (!verdict.ok()) {
    AnswerWithError(responder, message, verdict);
  } else if (!message.is_read() && message.length > 0) {
    message.pieces = Cut(mr, message.remote_addr, 0, message.length);
  }
}

void Fabric::AnswerWithError(Qp& responder, Message& message, const Verdict& verdict) {
  message.answer = verdict;
  EnterError(responder, /*from_position=*/0);
  if (on_async_event) on_async_event({AsyncEventType::kQpAccessErr, &responder, nullptr});
}

// The region may have gone since the request arrived, and the responder with it.
void Fabric::Execute(Message& message) {
  message.executed = true;
  Qp* responder = device_.FindQp(message.requester->attr().dest_qp_num);
  if (responder == nullptr || !responder->Answers(message.requester->num)) {
    message.delivered = message.executed =
        false;  // and is sent again, until the retries are used up
    return;
  }
  const Mr* mr = nullptr;
  const Verdict verdict = CheckTarget(device_, *responder, message.opcode, message.remote_addr,
                                      message.rkey, message.length, &mr);
  if (!verdict.ok()) {
    AnswerWithError(*responder, message, verdict);
    return;
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(message.remote_addr);
  message.payload.assign(bytes, bytes + message.length);
}

void Fabric::Place(Message& message, size_t piece) {
  const Piece part = message.pieces[piece];
  message.pieces.erase(message.pieces.begin() + static_cast<ptrdiff_t>(piece));
  PlaceBytes(part.addr, message.payload.data() + part.offset, part.length);
  if (message.is_read() && message.pieces.empty()) Decide(message, {});
}

void Fabric::Acknowledge(Message& message) {
  Qp& requester = *message.requester;
  message.answered = true;
  Verdict verdict = message.answer;
  if (verdict.ok() && message.is_read()) {
    verdict = CheckLocal(device_, requester.pd(), message.sges, access_flag::kLocalWrite);
  }
  if (verdict.ok() && message.is_read() && message.length > 0) {
    uint64_t offset = 0;
    for (const Sge& sge : message.sges) {
      const auto pieces = Cut(device_.FindMr(sge.lkey), sge.addr, offset, sge.length);
      message.pieces.insert(message.pieces.end(), pieces.begin(), pieces.end());
      offset += sge.length;
    }
    return;
  }
  Decide(message, verdict);
  if (verdict.ok()) return;
  RecordCause(requester, message.wr_id, verdict);
  EnterError(requester, message.position + 1);
}

void Fabric::CompleteMessage(Message& message) {
  message.completed = true;
  if (!message.signaled && message.outcome.ok()) return;
  Complete(*message.requester, message.wr_id, message.opcode, message.position, message.outcome,
           message.is_read() ? static_cast<uint32_t>(message.length) : 0);
}

void Fabric::DropDone(Qp& qp) {
  std::erase_if(qp.outstanding, [](const auto& message) { return message->done(); });
  if (!qp.outstanding.empty()) return;
  qp.busy = false;
  std::erase(busy_, &qp);
}

std::optional<uint64_t> Fabric::NextDeadline() const {
  std::optional<uint64_t> next;
  for (const Qp* qp : busy_) {
    for (const auto& message : qp->outstanding) {
      if (message->retry_deadline == 0) continue;
      next = std::min(next.value_or(message->retry_deadline), message->retry_deadline);
    }
  }
  return next;
}

void Fabric::FireTimers() {
  const uint64_t now = clock_.NowNs();
  for (Qp* qp : busy_) {
    for (auto& message : qp->outstanding) {
      if (message->retry_deadline == 0 || message->retry_deadline > now) continue;
      const Verdict unreachable{WcStatus::kRetryExcErr, Cause::kUnreachable};
      RecordCause(*qp, message->wr_id, unreachable);
      Decide(*message, unreachable);
      EnterError(*qp, message->position + 1);
      break;
    }
  }
  Settle();
}

}  // namespace fakenic
