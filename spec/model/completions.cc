// SendQueue, the part that judges completions: those that come, and those that do not.
#include "spec/model/send_queue.h"
#include "spec/model/text.h"

namespace spec::model {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

void SendQueue::Completed(std::uint64_t wr_id, bool success, const char* status) {
  const std::size_t index = Match(wr_id, success);
  last_completed_ = index;
  if (index == kNone) return Unmatched(wr_id, status);
  bool overtook = false;
  for (std::size_t i = covered_; i < index; ++i)
    overtook |= operations_[i].completions == 0 && operations_[i].signal == Signal::kAlways;
  Operation& operation = operations_[index];
  ++operation.completions;
  if (Judged(operation)) {
    witness_->Tested(operation.page->op_context);
    witness_->Saw(operation.page->completion_order,
                  overtook ? Sight::kOutOfOrder : Sight::kInOrder);
    JudgeStatus(index, success, status);
  }
  (success ? operation.succeeded : operation.failed) = true;
  if (index >= covered_) covered_ = index + 1;
}

std::size_t SendQueue::Match(std::uint64_t wr_id, bool success) const {
  std::size_t fallback = kNone;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation& o = operations_[i];
    if (o.wr_id != wr_id || o.completions > 0) continue;
    if (success ? o.signal != Signal::kOnError : FateOf(i) != Fate::kSucceeds) return i;
    if (fallback == kNone) fallback = i;
  }
  return fallback;
}

void SendQueue::JudgeStatus(std::size_t index, bool success, const char* status) {
  const Operation& o = operations_[index];
  const Fate fate = FateOf(index);
  const auto seen = [&] {
    return Text(o.page->function, " returned 0, then completion wr_id 0x", Hex(o.wr_id), " status ",
                status);
  };
  if (success && fate == Fate::kFails) {
    Break(o, FalseSuccessRule(o),
          o.uncarried ? "a negative code of the page, or one completion with an error status"
                      : "one completion with an error status",
          seen());
  } else if (success && o.signal == Signal::kOnError) {
    Break(o, o.page->on_error_silent, "no completion", seen());
  } else if (!success && fate == Fate::kSucceeds) {
    Break(o, FalseFailureRule(o),
          o.signal == Signal::kOnError ? "no completion" : "one completion, status success",
          seen());
  } else if (o.signal == Signal::kOpen) {
    return;
  } else if (success) {
    witness_->Tested(o.zero_byte ? o.page->zero_byte : o.page->always_success);
    TestedRegionEnd(o);
  } else {
    witness_->Tested(FailureRule(o));
  }
}

void SendQueue::TestedRegionEnd(const Operation& o) {
  if (o.region_end && o.page->region_end != nullptr) witness_->Tested(o.page->region_end);
}

void SendQueue::Unmatched(std::uint64_t wr_id, const char* status) {
  const std::string seen = Text("completion wr_id 0x", Hex(wr_id), " status ", status);
  const Operation* owing = nullptr;
  const Operation* same = nullptr;
  for (const Operation& o : operations_) {
    if (o.page == nullptr) continue;
    if (o.wr_id == wr_id && !o.marker) same = &o;
    if (owing == nullptr && o.completions == 0 && !o.excused) owing = &o;
  }
  if (same != nullptr && owing != nullptr && owing->marker) owing = nullptr;
  if (CompletesRefused(wr_id, seen)) return;
  if (owing != nullptr) {
    Finding finding{{}, Text("a completion with wr_id 0x", Hex(owing->wr_id)), seen};
    if (owing->zero_byte) finding.blame.push_back(owing->page->zero_byte);
    finding.blame.push_back(owing->page->op_context);
    if (same != nullptr)
      finding.blame.push_back(same->failed ? FailureRule(*same) : SuccessRule(*same));
    return witness_->Broke(std::move(finding));
  }
  const Operation* last = same;
  for (const Operation& o : operations_)
    if (same == nullptr && Judged(o)) last = &o;
  if (last == nullptr) {
    if (!refused_.empty())
      witness_->Broke(
          {{refused_.back().page->refused_no_effect}, "no completion of a refused call", seen});
    return;
  }
  Break(*last, last->failed ? FailureRule(*last) : SuccessRule(*last),
        last->signal == Signal::kOnError && !last->failed ? "no completion"
                                                          : "exactly one completion",
        same != nullptr ? seen + " once more" : seen);
}

void SendQueue::Settled(bool alive) {
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation& o = operations_[i];
    if (!Judged(o)) continue;
    SettleOne(i, alive);
    if (o.open_rule != nullptr && !o.excused)
      witness_->Saw(o.open_rule, o.failed      ? Sight::kFailed
                                 : o.succeeded ? Sight::kSucceeded
                                               : Sight::kSilent);
  }
  for (const Operation& o : operations_)
    if (o.marker && !alive && !o.succeeded && !o.excused) SettleMarker(o, alive);
  SettleRefused(alive);
}

void SendQueue::SettleOne(std::size_t index, bool alive) {
  const Operation& o = operations_[index];
  if (o.completions > 0 || o.excused) return;
  const Fate fate = FateOf(index);
  const auto seen = [&] {
    return Text(o.page->function, " returned 0, then no completion, connection ",
                alive ? "works" : "is broken");
  };
  if (o.signal == Signal::kAlways) {
    const bool failure = fate == Fate::kFails || (fate == Fate::kOpen && !alive);
    Break(o, failure ? o.page->always_failure : o.page->always_success,
          failure ? "exactly one completion, with an error status"
                  : "exactly one completion, status success",
          seen());
  } else if (o.signal == Signal::kOnError && fate == Fate::kSucceeds) {
    if (!alive) return;
    witness_->Tested(o.zero_byte ? o.page->zero_byte : o.page->on_error_silent);
    TestedRegionEnd(o);
  } else if (o.signal == Signal::kOnError && fate == Fate::kFails) {
    Break(o, alive ? FalseSuccessRule(o) : o.page->on_error_reports,
          "a negative code of the page, or exactly one completion, with an error status", seen());
  } else if (o.signal == Signal::kOnError && !alive) {
    for (const Operation& other : operations_)
      if (other.failed && other.page != nullptr) return;
    Break(o, o.page->on_error_reports, "exactly one completion, with an error status", seen());
  }
}

// A marker that a working connection should have taken, and completed with success, and did not.
void SendQueue::SettleMarker(const Operation& marker, bool alive) {
  for (const Operation& o : operations_)
    if (!o.marker && !o.succeeded && (o.fate != Fate::kSucceeds || o.failed)) return;
  const Page* refused = refused_.empty() ? receive_refused_ : refused_.back().page;
  if (last_page_ == nullptr && refused == nullptr) return;
  Finding finding{{}, "the connection works afterwards", {}};
  finding.seen = !alive && marker.failed
                     ? "a write posted afterwards completed with an error"
                     : "a write posted afterwards was refused or never completed";
  finding.blame.push_back(refused != nullptr ? refused->usable_after_refusal
                                             : last_page_->data_written);
  if (marker.page != nullptr) finding.blame.push_back(marker.page->always_success);
  if (marker.page != nullptr) finding.blame.push_back(marker.page->accepted);
  witness_->Broke(std::move(finding));
}

}  // namespace spec::model
