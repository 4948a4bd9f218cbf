#include "spec/model/send_queue.h"

#include <librpma.h>

#include <utility>

#include "spec/model/text.h"

namespace spec::model {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

Sight SightOfRefusal(int code) {
  if (code == RPMA_E_INVAL) return Sight::kRefusedInval;
  if (code == RPMA_E_PROVIDER) return Sight::kRefusedProvider;
  return Sight::kRefusedOtherwise;
}

bool Listed(int code) { return code == 0 || code == RPMA_E_INVAL || code == RPMA_E_PROVIDER; }

const Rule* SuccessRule(const Operation& o) {
  return o.signal == Signal::kOnError ? o.page->on_error_silent : o.page->always_success;
}

const Rule* FailureRule(const Operation& o) {
  return o.signal == Signal::kOnError ? o.page->on_error_reports : o.page->always_failure;
}

// The rule that is broken when an operation that cannot have been carried out counts as a success.
const Rule* FalseSuccessRule(const Operation& o) {
  if (!o.uncarried) return FailureRule(o);
  return o.page->length_whole != nullptr ? o.page->length_whole : o.page->data_written;
}

}  // namespace

void SendQueue::Reset(std::size_t depth) {
  depth_ = depth;
  operations_.clear();
  covered_ = 0;
  refused_.clear();
  last_page_ = nullptr;
}

void SendQueue::Break(const Operation& operation, const Rule* rule, std::string allowed,
                      std::string seen) {
  Finding finding{{}, std::move(allowed), std::move(seen)};
  if (operation.zero_byte && rule != operation.page->zero_byte)
    finding.blame.push_back(operation.page->zero_byte);
  finding.blame.push_back(rule);
  witness_->Broke(std::move(finding));
}

bool SendQueue::Returned(const Operation& call, const Refusals& refusals, int code,
                         PostFault fault) {
  const Page* page = call.page;
  last_page_ = page;
  witness_->Tested(page->return_value);
  if (!refusals.empty()) {
    Forbidden(call, refusals, code);
    return false;
  }
  if (fault == PostFault::kFired) {
    witness_->Tested(page->post_failed);
    if (code != RPMA_E_PROVIDER)
      Break(call, page->post_failed, "returns " + NameOfCode(RPMA_E_PROVIDER),
            Text("ibv_post_send failed, ", page->function, " returned ", NameOfCode(code)));
  } else if (!Listed(code)) {
    Break(call, full() ? page->post_failed : page->return_value,
          Text("returns 0, ", NameOfCode(RPMA_E_INVAL), " or ", NameOfCode(RPMA_E_PROVIDER)),
          Text(page->function, " returned ", NameOfCode(code)));
  }
  if (code >= 0) {
    Accept(call);
    return true;
  }
  if (fault == PostFault::kNone) JudgeRefusal(call, code);
  refused_.push_back({page, call.wr_id});
  return false;
}

void SendQueue::Forbidden(const Operation& call, const Refusals& refusals, int code) {
  for (std::size_t i = 0; i < refusals.size(); ++i) witness_->Tested(refusals.rule(i));
  if (refusals.Allows(code)) return refused_.push_back({call.page, call.wr_id});
  Finding finding{{},
                  "returns " + NameOfCode(refusals.error(0)),
                  Text(call.page->function, " returned ", NameOfCode(code))};
  for (std::size_t i = 0; i < refusals.size(); ++i) finding.blame.push_back(refusals.rule(i));
  witness_->Broke(std::move(finding));
}

void SendQueue::JudgeRefusal(const Operation& call, int code) {
  const Page* page = call.page;
  if (!healthy()) {
    if (broken()) witness_->Saw(page->post_after_error, SightOfRefusal(code));
  } else if (full() && code == RPMA_E_PROVIDER) {
    witness_->Tested(page->post_failed);
  } else if (call.fate != Fate::kSucceeds || call.signal == Signal::kOpen) {
    if (call.open_rule != nullptr) witness_->Saw(call.open_rule, SightOfRefusal(code));
    if (call.uncarried && page->length_whole != nullptr) witness_->Tested(page->length_whole);
  } else if (full()) {
    witness_->Tested(page->post_failed);
    witness_->Broke({{page->post_failed, page->accepted},
                     Text("returns 0 or ", NameOfCode(RPMA_E_PROVIDER)),
                     Text("send queue of ", depth_, " is full, ", page->function, " returned ",
                          NameOfCode(code))});
  } else if (outstanding() > 0 && !call.zero_byte) {
    witness_->Broke({{page->queue_depth, page->accepted},
                     "returns 0",
                     Text(outstanding(), " of ", depth_, " slots taken, ", page->function,
                          " returned ", NameOfCode(code))});
  } else {
    Break(call, page->accepted, "returns 0", Text(page->function, " returned ", NameOfCode(code)));
  }
}

void SendQueue::Accept(const Operation& call) {
  const Page* page = call.page;
  const bool after_error = broken();
  if (call.fate == Fate::kSucceeds && healthy()) {
    witness_->Tested(call.zero_byte ? page->zero_byte : page->accepted);
    if (outstanding() > 0 && outstanding() + 1 == depth_) witness_->Tested(page->queue_depth);
  }
  if (call.uncarried && page->length_whole != nullptr) witness_->Tested(page->length_whole);
  operations_.push_back(call);
  if (after_error) operations_.back().open_rule = page->post_after_error;
}

bool SendQueue::MarkerReturned(const Operation& marker, int code) {
  if (code == 0) {
    operations_.push_back(marker);
    return true;
  }
  if (healthy() && !full()) SettleMarker(marker, /*alive=*/false);
  return false;
}

bool SendQueue::healthy() const {
  for (const Operation& o : operations_)
    if (o.failed || (o.fate != Fate::kSucceeds && !o.succeeded)) return false;
  return true;
}

bool SendQueue::broken() const {
  for (const Operation& o : operations_)
    if (o.failed || o.fate == Fate::kFails) return true;
  return false;
}

bool SendQueue::OwesCompletion() const {
  for (std::size_t i = covered_; i < operations_.size(); ++i) {
    const Operation& o = operations_[i];
    if (o.completions > 0 || o.excused) continue;
    if (o.signal == Signal::kAlways || FateOf(i) == Fate::kFails) return true;
  }
  return false;
}

Fate SendQueue::FateOf(std::size_t index) const {
  const Operation& own = operations_[index];
  bool open = own.fate == Fate::kOpen;
  for (std::size_t i = 0; i < index; ++i) {
    const Operation& o = operations_[i];
    if (o.failed || o.fate == Fate::kFails) return Fate::kFails;
    if (o.fate == Fate::kOpen && !o.succeeded) open = true;
  }
  if (own.fate == Fate::kFails) return Fate::kFails;
  return open ? Fate::kOpen : Fate::kSucceeds;
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

void SendQueue::Completed(std::uint64_t wr_id, bool success, const char* status) {
  const std::size_t index = Match(wr_id, success);
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
    Break(o, o.page->data_written,
          o.signal == Signal::kOnError ? "no completion" : "one completion, status success",
          seen());
  } else if (o.signal == Signal::kOpen) {
    return;
  } else if (success) {
    witness_->Tested(o.zero_byte ? o.page->zero_byte : o.page->always_success);
  } else {
    witness_->Tested(FailureRule(o));
  }
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
  for (const Refused& r : refused_)
    if (r.wr_id == wr_id && same == nullptr)
      return witness_->Broke(
          {{r.page->refused_no_effect}, "no completion of a refused call", seen});
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

// A marker that a working connection should have taken, and completed with success, and did not.
void SendQueue::SettleMarker(const Operation& marker, bool alive) {
  for (const Operation& o : operations_)
    if (!o.marker && !o.succeeded && (o.fate != Fate::kSucceeds || o.failed)) return;
  if (last_page_ == nullptr) return;
  Finding finding{{}, "the connection works afterwards", {}};
  finding.seen = !alive && marker.failed
                     ? "a write posted afterwards completed with an error"
                     : "a write posted afterwards was refused or never completed";
  finding.blame.push_back(refused_.empty() ? last_page_->data_written
                                           : refused_.back().page->usable_after_refusal);
  if (marker.page != nullptr) finding.blame.push_back(marker.page->always_success);
  if (marker.page != nullptr) finding.blame.push_back(marker.page->accepted);
  witness_->Broke(std::move(finding));
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
    if (alive) witness_->Tested(o.zero_byte ? o.page->zero_byte : o.page->on_error_silent);
  } else if (o.signal == Signal::kOnError && fate == Fate::kFails) {
    Break(o, alive ? FalseSuccessRule(o) : o.page->on_error_reports,
          "a negative code of the page, or exactly one completion, with an error status", seen());
  } else if (o.signal == Signal::kOnError && !alive) {
    for (const Operation& other : operations_)
      if (other.failed && other.page != nullptr) return;
    Break(o, o.page->on_error_reports, "exactly one completion, with an error status", seen());
  }
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
  for (const Refused& r : refused_) {
    if (!alive) continue;
    witness_->Tested(r.page->refused_no_effect);
    witness_->Tested(r.page->usable_after_refusal);
  }
}

void SendQueue::Excuse() {
  for (Operation& o : operations_)
    if (o.completions == 0) {
      o.excused = true;
      o.fate = Fate::kOpen;
    }
}

void SendQueue::Loosen() {
  for (Operation& o : operations_)
    if (o.completions == 0 && o.fate == Fate::kSucceeds) o.fate = Fate::kOpen;
}

std::string NameOfCode(int code) {
  switch (code) {
    case 0:
      return "0";
    case RPMA_E_UNKNOWN:
      return Text("RPMA_E_UNKNOWN (", code, ")");
    case RPMA_E_NOSUPP:
      return Text("RPMA_E_NOSUPP (", code, ")");
    case RPMA_E_PROVIDER:
      return Text("RPMA_E_PROVIDER (", code, ")");
    case RPMA_E_NOMEM:
      return Text("RPMA_E_NOMEM (", code, ")");
    case RPMA_E_INVAL:
      return Text("RPMA_E_INVAL (", code, ")");
    case RPMA_E_NO_COMPLETION:
      return Text("RPMA_E_NO_COMPLETION (", code, ")");
    case RPMA_E_NO_EVENT:
      return Text("RPMA_E_NO_EVENT (", code, ")");
    case RPMA_E_AGAIN:
      return Text("RPMA_E_AGAIN (", code, ")");
    default:
      return Text(code);
  }
}

}  // namespace spec::model
