// Which steps are enabled, and taking them in order.
#include <algorithm>

#include "nic/fabric.h"

namespace fakenic {
namespace {

constexpr StepKinds kPlacing = Bit(StepKind::kPlace) | Bit(StepKind::kPlaceWord);

// What the messages before it mean for the next message of a flow.
struct Predecessors {
  StepKinds held = 0;          // the kinds of step that must wait
  StepKinds held_relaxed = 0;  // the same for one whose target allows relaxed ordering
  size_t reads = 0;            // reads and atomics that have no outcome yet

  void Add(const Message& message) {
    const StepKinds pending = message.PendingKinds();
    held |= HeldUpBy(pending);
    const bool placing_only = message.delivered && !message.is_atomic();
    held_relaxed |= HeldUpBy(placing_only ? pending & ~kPlacing : pending);
    reads += message.answered_with_data() && !message.decided;
  }
};

bool Relaxed(const Message& message) {
  return !message.pieces.empty() &&
         std::all_of(message.pieces.begin(), message.pieces.end(), [](const Piece& piece) {
           return (piece.mr->access & access_flag::kRelaxedOrdering) != 0;
         });
}

}  // namespace

// Whether the send queue lets this message set out now: it is not suspended nor waits for RTS, and
// there are not too many reads before it.
bool Fabric::MaySetOut(const Message& message, size_t reads_before) const {
  const Qp& qp = *message.requester;
  if ((qp.state() == QpState::kSqd || qp.too_early_to_send()) && !message.started) return false;
  if (message.fenced && reads_before > 0) return false;
  return !message.answered_with_data() || reads_before < qp.attr().max_rd_atomic;
}

bool Fabric::Enabled(Message& message, StepKind kind, size_t reads_before) {
  switch (kind) {
    case StepKind::kFetch:
      return message.Pending(kind) && MaySetOut(message, reads_before);
    case StepKind::kDeliver:
      return message.Pending(kind) && message.fetched() && MaySetOut(message, reads_before) &&
             MayArrive(message);
    case StepKind::kExecute:
      return message.Pending(kind) && message.delivered && message.answer.ok() &&
             message.requester->far == nullptr && (atomic_ == nullptr || !message.is_atomic());
    case StepKind::kFlush:
      return message.Pending(kind) && message.delivered && message.answer.ok() &&
             message.requester->far == nullptr;
    case StepKind::kPlace:
    case StepKind::kPlaceWord:
      return message.Pending(kind) && !message.pieces.empty() && !message.landing();
    case StepKind::kReceive:
      return message.recv && !message.recv->completed && message.pieces.empty();
    case StepKind::kAcknowledge:
      if (!message.Pending(kind) || !message.delivered) return false;
      if (message.requester->far != nullptr) return message.replied;
      if (!message.needs_execution() || !message.answer.ok()) return true;
      return message.executed && message.pieces.empty();
    case StepKind::kLand:
      return message.landing() && !message.pieces.empty();
    case StepKind::kComplete:
      return message.Pending(kind) && message.decided;
    case StepKind::kRaise:
    case StepKind::kRepeat:
      break;
  }
  return false;
}

// Visits the enabled steps of one flow's messages, which are in posting order, until told to stop.
template <typename Messages, typename Visit>
bool Fabric::VisitFlow(const Messages& messages, Visit&& visit) {
  Predecessors before;
  for (const auto& message : messages) {
    const StepKinds held = Relaxed(*message) ? before.held_relaxed : before.held;
    for (size_t i = 0; i < kStepKinds; ++i) {
      const auto kind = static_cast<StepKind>(i);
      if ((held & Bit(kind)) != 0 || !Enabled(*message, kind, before.reads)) continue;
      const bool in_pieces = (Bit(kind) & (kPlacing | Bit(StepKind::kLand))) != 0;
      const size_t ways = in_pieces ? message->pieces.size() : 1;
      for (size_t piece = 0; piece < ways; ++piece) {
        if (!visit(Step{kind, &*message, piece, nullptr})) return false;
      }
    }
    before.Add(*message);
    if (before.held == kEveryKind) break;
  }
  return true;
}

template <typename Visit>
void Fabric::VisitOrphans(Visit&& visit) {
  std::vector<uint32_t> seen;
  for (const auto& first : orphans_) {
    if (std::find(seen.begin(), seen.end(), first->flow) != seen.end()) continue;
    seen.push_back(first->flow);
    std::vector<Message*> flow;
    for (const auto& orphan : orphans_) {
      if (orphan->flow == first->flow) flow.push_back(orphan.get());
    }
    if (!VisitFlow(flow, visit)) return;
  }
}

std::vector<Step> Fabric::EnabledSteps() {
  std::vector<Step> steps;
  const auto collect = [&](const Step& step) {
    steps.push_back(step);
    return true;
  };
  for (Cq* cq : owing_) steps.push_back({StepKind::kRaise, nullptr, 0, cq});
  VisitOrphans(collect);
  for (Qp* qp : busy_) {
    VisitFlow(qp->outstanding, collect);
    if (Message* message = Repeatable(*qp))
      steps.push_back({StepKind::kRepeat, message, 0, nullptr});
  }
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    const uint64_t age_a = a.message != nullptr ? a.message->sequence : 0;
    const uint64_t age_b = b.message != nullptr ? b.message->sequence : 0;
    return age_a < age_b;
  });
  return steps;
}

// The last write or read that arrived, while its answer can still be lost. Of other operations a
// repetition shows nothing: the responder knows that it has executed them.
Message* Fabric::Repeatable(Qp& qp) const {
  if (!messages_repeat_ || qp.far != nullptr) return nullptr;
  Message* last = nullptr;
  for (auto& message : qp.outstanding) {
    if (message->delivered) last = message.get();
  }
  if (last == nullptr || last->repeated || last->answered || last->decided || !last->answer.ok()) {
    return nullptr;
  }
  const bool read = last->is_read() && last->executed;
  const bool write = last->opcode == WrOpcode::kRdmaWrite && last->pieces.empty();
  return read || write ? last : nullptr;
}

std::optional<Step> Fabric::FirstOfQp(Qp& qp) {
  std::optional<Step> first;
  VisitFlow(qp.outstanding, [&](const Step& step) {
    first = step;
    return false;
  });
  return first;
}

std::optional<Step> Fabric::FirstOfOthers() {
  if (!owing_.empty()) return Step{StepKind::kRaise, nullptr, 0, owing_.front()};
  std::optional<Step> first;
  VisitOrphans([&](const Step& step) {
    first = step;
    return false;
  });
  return first;
}

size_t Fabric::RunInOrder() {
  size_t taken = 0;
  const auto take = [&](const Step& step) {
    Take(step);
    ++taken;
  };
  for (size_t before = SIZE_MAX; before != taken;) {
    before = taken;
    const std::vector<Qp*> busy = busy_;
    for (Qp* qp : busy) {
      while (const auto step = FirstOfQp(*qp)) take(*step);
    }
    while (const auto step = FirstOfOthers()) take(*step);
  }
  return taken;
}

}  // namespace fakenic
