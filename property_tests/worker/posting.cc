// Execution, the part that calls the functions under test.
#include <atomic>
#include <cstring>
#include <thread>

#include "property_tests/worker/execution.h"
#include "spec/model/text.h"
#include "spec/rpma_atomic_write.h"

namespace conformance {

using spec::model::Fate;
using spec::model::Operation;
using spec::model::PostFault;

namespace {

const void* Context(std::uint64_t ctx) { return reinterpret_cast<const void*>(ctx); }

rpma_mr_remote* TargetOf(const End& end, Target target) {
  switch (target) {
    case Target::kGood:
      return end.to_d;
    case Target::kNull:
      return nullptr;
    case Target::kStale:
      return end.to_stale;
    case Target::kForeign:
      return end.to_foreign;
    case Target::kNoWrite:
      return end.to_nowrite;
    case Target::kOdd:
      return end.to_odd;
  }
  return nullptr;
}

rpma_mr_local* SourceOf(const End& end, Source source) {
  if (source == Source::kNull) return nullptr;
  return source == Source::kGood ? end.s : end.foreign_s;
}

std::size_t TargetAt(const Layout& layout, Target target) {
  switch (target) {
    case Target::kStale:
      return layout.stale;
    case Target::kForeign:
      return layout.foreign;
    case Target::kNoWrite:
      return layout.nowrite;
    case Target::kOdd:
      return layout.odd;
    case Target::kGood:
    case Target::kNull:
      break;
  }
  return layout.d;
}

}  // namespace

int Execution::Call(const Step& step, End& end) {
  const Library& lib = rig_->library();
  rpma_conn* conn = step.conn ? end.conn : nullptr;
  rpma_mr_remote* dst = TargetOf(end, step.dst);
  if (step.kind == StepKind::kWrite)
    return lib.rpma_write(conn, dst, step.dst_offset, SourceOf(end, step.src), step.src_offset,
                          step.len, step.flags, Context(step.ctx));
  std::memcpy(caller_word_.data(), &step.word, caller_word_.size());
  const char* src = step.src == Source::kNull ? nullptr : caller_word_.data();
  const int code =
      lib.rpma_atomic_write(conn, dst, step.dst_offset, src, step.flags, Context(step.ctx));
  caller_word_.fill(static_cast<char>(spec::model::kScribble));  // free for reuse now, and reused
  return code;
}

// Fills in where the operation's bytes come from and go to, clipped to what may change.
void Execution::Place(const Step& step, Operation& operation) {
  const Layout& layout = rig_->layout();
  const std::uint64_t len = step.kind == StepKind::kWrite ? step.len : 8;
  if (step.dst == Target::kNull || step.dst_offset >= layout.region) return;
  operation.target = TargetAt(layout, step.dst) + step.dst_offset;
  operation.length = std::min<std::uint64_t>(len, layout.region - step.dst_offset);
  if (step.kind == StepKind::kAtomicWrite) {
    std::memcpy(operation.word.data(), &step.word, 8);
    return;
  }
  const std::size_t base = step.src == Source::kForeign ? layout.foreign_s : layout.s;
  if (step.src_offset >= layout.total - base) {
    operation.length = 0;
    return;
  }
  operation.source = rig_->end(step.side).memory->pristine().data() + base + step.src_offset;
  operation.length =
      std::min<std::uint64_t>(operation.length, layout.total - base - step.src_offset);
}

void Execution::Post(const Step& step) {
  const bool under_test = step.kind == StepKind::kWrite
                              ? rig_->library().rpma_write != nullptr
                              : rig_->library().rpma_atomic_write != nullptr;
  if (!under_test) return;
  Watched& w = watched(step.side);
  if (w.blocked) return Say("        skipped: the other end may be gone");
  const Side other = step.side == Side::kClient ? Side::kServer : Side::kClient;
  const bool stale = step.dst == Target::kGood && !rig_->end(other).d_registered;
  Meaning meaning = MeaningOf(step, rig_->layout().region, stale);
  if (meaning.refusals.empty()) Place(step, meaning.operation);
  board_->rule.store(static_cast<std::uint32_t>(numbers_.of(RuleOnTrial(meaning))),
                     std::memory_order_relaxed);

  const std::uint64_t posted_before = fake_ != nullptr ? fake_->SendsPosted() : 0;
  if (fault_ != 0) fake_->FailNextPost(fault_);
  const int code = Call(step, rig_->end(step.side));
  PostFault fault = PostFault::kNone;
  if (fault_ != 0) {
    if (fake_->PostFailureFired()) fault = PostFault::kFired;
    fake_->ClearFaults();
    fault_ = 0;
  }
  if (trace_) Say("        returned " + spec::model::NameOfCode(code));

  if (!single_) Explain(meaning, code);
  const bool accepted = w.queue.Returned(meaning.operation, meaning.refusals, code, fault);
  if (code < 0) JudgeRefused(step, code, posted_before);
  AfterPost(step, meaning, accepted);
}

void Execution::Explain(const Meaning& meaning, int code) {
  const spec::Page& page = *meaning.operation.page;
  for (std::size_t i = 0; i < meaning.refusals.size(); ++i)
    explanations_.insert(meaning.refusals.rule(i));
  explanations_.insert(RuleOnTrial(meaning));
  if (meaning.refusals.empty() && meaning.operation.signal == spec::model::Signal::kOnError)
    explanations_.insert({page.on_error_silent, page.on_error_reports});
  if (meaning.refusals.empty() && meaning.operation.signal == spec::model::Signal::kAlways)
    explanations_.insert({page.always_success, page.always_failure});
  explanations_.insert(code < 0 ? page.accepted : page.op_context);
  if (code < 0) explanations_.insert({page.refused_no_effect, page.usable_after_refusal});
}

void Execution::AfterPost(const Step& step, const Meaning& meaning, bool accepted) {
  if (!accepted || meaning.operation.fate == Fate::kSucceeds) return;
  const Side other = step.side == Side::kClient ? Side::kServer : Side::kClient;
  watched(other).queue.Excuse();
  watched(other).blocked = true;
  if (meaning.local_error) watched(step.side).queue.Loosen();
}

void Execution::JudgeRefused(const Step& step, int code, std::uint64_t posted_before) {
  if (fake_ == nullptr) return;
  const std::uint64_t posted = fake_->SendsPosted() - posted_before;
  const spec::Page& page = PageOf(step.kind);
  if (posted != 0)
    Broke({{page.refused_no_effect},
           "posts nothing",
           spec::model::Text(page.function, " returned ", spec::model::NameOfCode(code),
                             " and posted ", posted, " work request(s)")});
}

// A reader watches the word while it is overwritten with two values in turn. On the fake the steps
// are watched instead: there a reader in another thread would see nothing more.
void Execution::Alternate(const Step& step) {
  constexpr std::uint64_t kWords[] = {0x1111111111111111, 0x2222222222222222};
  const Side other = step.side == Side::kClient ? Side::kServer : Side::kClient;
  std::uint8_t* at = rig_->end(other).memory->data() + rig_->layout().d + step.dst_offset;
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> torn{0};
  std::uint64_t old;
  std::memcpy(&old, at, 8);
  const auto watch = [&] {
    while (!stop.load(std::memory_order_relaxed)) {
      const std::uint64_t now =
          __atomic_load_n(reinterpret_cast<std::uint64_t*>(at), __ATOMIC_RELAXED);
      if (now != old && now != kWords[0] && now != kWords[1]) torn = now;
    }
  };
  std::thread reader;
  if (fake_ == nullptr && step.dst_offset % 8 == 0) reader = std::thread(watch);
  Step write{.kind = StepKind::kAtomicWrite, .side = step.side, .dst_offset = step.dst_offset};
  for (std::uint64_t i = 0; i < step.number && !finding_; ++i) {
    write.ctx = i + 1;
    write.word = kWords[i % 2];
    Post(write);
    if (!watched(step.side).blocked)
      PollUntil(step.side, [&] { return !watched(step.side).queue.OwesCompletion(); });
  }
  stop = true;
  if (reader.joinable()) {
    reader.join();
    Tested(spec::rpma_atomic_write::kPage.untorn);
  }
  if (torn != 0)
    Broke({{spec::rpma_atomic_write::kPage.untorn},
           "the old or the new 8 bytes",
           "a reader saw 0x" + spec::model::Hex(torn) + ", neither word that was written"});
}

}  // namespace conformance
