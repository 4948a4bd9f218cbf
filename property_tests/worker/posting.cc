// Execution, the part that calls the functions under test.
#include <algorithm>
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
using spec::model::WorkQueue;

namespace {

const void* Context(std::uint64_t ctx) { return reinterpret_cast<const void*>(ctx); }

struct RemotePlace {
  Remote region;
  rpma_mr_remote* End::*handle;
  std::size_t Layout::*at;
};
constexpr RemotePlace kRemotePlaces[] = {
    {Remote::kGood, &End::to_d, &Layout::d},
    {Remote::kStale, &End::to_stale, &Layout::stale},
    {Remote::kForeign, &End::to_foreign, &Layout::foreign},
    {Remote::kNoWrite, &End::to_nowrite, &Layout::nowrite},
    {Remote::kNoRead, &End::to_noread, &Layout::noread},
    {Remote::kOdd, &End::to_odd, &Layout::odd},
};

rpma_mr_remote* RemoteOf(const End& end, Remote region) {
  for (const RemotePlace& place : kRemotePlaces)
    if (place.region == region) return end.*place.handle;
  return nullptr;
}

std::size_t RemoteAt(const Layout& layout, Remote region) {
  for (const RemotePlace& place : kRemotePlaces)
    if (place.region == region) return layout.*place.at;
  return layout.d;
}

struct LocalPlace {
  Local region;
  std::string_view name;  // of the good ones
  rpma_mr_local* End::*handle;
  std::size_t Layout::*at;
};
constexpr LocalPlace kLocalPlaces[] = {
    {Local::kGood, "S", &End::s, &Layout::s},
    {Local::kGood, "L", &End::l, &Layout::l},
    {Local::kGood, "R", &End::r, &Layout::r},
    {Local::kForeign, "S", &End::foreign_s, &Layout::foreign_s},
    {Local::kForeign, "", &End::foreign_l, &Layout::foreign_l},
    {Local::kNoUsage, "", &End::nousage, &Layout::nousage},
};

const LocalPlace* LocalOf(const Step& step) {
  for (const LocalPlace& place : kLocalPlaces)
    if (place.region == step.local &&
        (place.name.empty() || place.name == step.traits().local_name))
      return &place;
  return nullptr;
}

}  // namespace

int Execution::CallReceive(const Step& step, End& end) {
  const Library& lib = rig_->library(step.side);
  const LocalPlace* place = LocalOf(step);
  rpma_mr_local* dst = place != nullptr ? end.*place->handle : nullptr;
  const void* context = Context(step.ctx);
  if (step.kind == StepKind::kSrqRecv)
    return lib.rpma_srq_recv(step.handle ? end.srq : nullptr, dst, step.local_offset, step.len,
                             context);
  if (step.kind == StepKind::kReqRecv)
    return lib.rpma_conn_req_recv(step.handle ? request_ : nullptr, dst, step.local_offset,
                                  step.len, context);
  return lib.rpma_recv(step.handle ? end.conn : nullptr, dst, step.local_offset, step.len, context);
}

int Execution::Call(const Step& s) {
  End& end = rig_->end(s.side);
  if (s.traits().receives()) return CallReceive(s, end);
  const Library& lib = rig_->library(s.side);
  rpma_conn* conn = s.handle ? end.conn : nullptr;
  rpma_mr_remote* remote = RemoteOf(end, s.remote);
  const LocalPlace* place = LocalOf(s);
  rpma_mr_local* local = place != nullptr ? end.*place->handle : nullptr;
  const void* context = Context(s.ctx);
  switch (s.kind) {
    case StepKind::kRead:
      return lib.rpma_read(conn, local, s.local_offset, remote, s.remote_offset, s.len, s.flags,
                           context);
    case StepKind::kWriteImm:
      return lib.rpma_write_with_imm(conn, remote, s.remote_offset, local, s.local_offset, s.len,
                                     s.flags, s.imm, context);
    case StepKind::kSend:
      return lib.rpma_send(conn, local, s.local_offset, s.len, s.flags, context);
    case StepKind::kSendImm:
      return lib.rpma_send_with_imm(conn, local, s.local_offset, s.len, s.flags, s.imm, context);
    case StepKind::kFlush:
      return lib.rpma_flush(conn, remote, s.remote_offset, s.len,
                            static_cast<rpma_flush_type>(s.type), s.flags, context);
    case StepKind::kAtomicWrite: {
      std::array<char, 8>& word = rig_->buffers().word;
      std::memcpy(word.data(), &s.word, word.size());
      const char* src = s.local == Local::kNull ? nullptr : word.data();
      const int code = lib.rpma_atomic_write(conn, remote, s.remote_offset, src, s.flags, context);
      // free for reuse now, and reused
      word.fill(static_cast<char>(spec::model::kScribble));
      return code;
    }
    default:
      return lib.rpma_write(conn, remote, s.remote_offset, local, s.local_offset, s.len, s.flags,
                            context);
  }
}

// Fills in where the operation's bytes come from and go to, clipped to what may change.
void Execution::Place(const Step& step, Operation& operation) {
  const Layout& layout = rig_->layout();
  const StepTraits& traits = step.traits();
  const std::uint64_t len = traits.len() ? step.len : 8;
  const LocalPlace* place = LocalOf(step);
  const std::size_t local = place != nullptr ? layout.*place->at : 0;
  const MemoryBlock& own = *rig_->end(step.side).memory;
  const bool lands = traits.local == conformance::Place::kTarget;
  // Room from an offset to the end of its region, or, of a source, of the memory.
  const auto room = [](std::uint64_t offset, std::size_t size) {
    return offset < size ? size - offset : 0;
  };
  operation.memory = static_cast<int>(step.side);
  operation.length = len;
  if (traits.remote != conformance::Place::kNone) {
    if (step.remote == Remote::kNull) operation.length = 0;
    operation.length = std::min(operation.length, room(step.remote_offset, layout.region));
  }
  if (step.kind == StepKind::kAtomicWrite) std::memcpy(operation.word.data(), &step.word, 8);
  if (traits.local != conformance::Place::kNone) {
    if (place == nullptr) operation.length = 0;
    const std::size_t size = lands ? layout.region : layout.total - local;
    operation.length = std::min(operation.length, room(step.local_offset, size));
  }
  if (operation.length == 0) return;
  const std::size_t remote = RemoteAt(layout, step.remote) + step.remote_offset;
  operation.target = lands ? local + step.local_offset : remote;
  if (traits.remote == conformance::Place::kSource) {
    operation.from = remote;
    operation.source = rig_->other(step.side).memory->pristine().data() + remote;
  } else if (traits.local == conformance::Place::kSource) {
    operation.source = own.pristine().data() + local + step.local_offset;
  }
}

// Whether the function is there, and the case makes sense with what works.
bool Execution::Available(const Step& step) {
  const Library& lib = rig_->library(step.side);
  const bool plain = MeaningOf(step, config_).refusals.empty();
  switch (step.kind) {
    case StepKind::kWrite:
      return lib.rpma_write != nullptr;
    case StepKind::kAtomicWrite:
      return lib.rpma_atomic_write != nullptr;
    case StepKind::kRead:
      return lib.rpma_read != nullptr;
    case StepKind::kWriteImm:
      return lib.rpma_write_with_imm != nullptr && (!plain || abilities_.messages);
    case StepKind::kSend:
      return lib.rpma_send != nullptr && (!plain || abilities_.messages);
    case StepKind::kSendImm:
      return lib.rpma_send_with_imm != nullptr && (!plain || abilities_.messages);
    case StepKind::kFlush:
      return lib.rpma_flush != nullptr &&
             (rig_->TellDirectWrite(step.side, step.direct_write) || !step.direct_write);
    case StepKind::kRecv:
      return lib.rpma_recv != nullptr && (!plain || abilities_.messages);
    case StepKind::kSrqRecv:
      return lib.rpma_srq_recv != nullptr && (!step.handle || rig_->end(step.side).srq != nullptr);
    case StepKind::kReqRecv:
      return lib.rpma_conn_req_recv != nullptr && request_ != nullptr &&
             (!plain || abilities_.messages);
    default:
      return false;
  }
}

void Execution::Post(const Step& step) {
  Watched& w = watched(step.side);
  if (w.blocked) return Say(step.side, event::kNote, "not made: the other end may be gone");
  if (!Available(step)) return Say(step.side, event::kNote, "not made: this cannot be done here");
  const bool stale = step.remote == Remote::kGood && !rig_->end(OtherThan(step.side)).d_registered;
  Meaning meaning = MeaningOf(step, config_, stale);
  if (meaning.refusals.empty()) Place(step, meaning.operation);
  board_->rule.store(static_cast<std::uint32_t>(numbers_.of(RuleOnTrial(meaning))),
                     std::memory_order_relaxed);
  if (step.traits().message && meaning.operation.open_rule == nullptr &&
      ReceivesOf(OtherThan(step.side)).outstanding() == 0)
    meaning.operation.open_rule = meaning.operation.page->receive_missing;

  if (step.traits().message && meaning.refusals.empty()) MakeReceiveReady(OtherThan(step.side));

  const std::uint64_t posted_before = Posted(step.side);
  if (fault_ != 0) fake_->FailNextPost(step.side, fault_);
  const int code = Call(step);
  PostFault fault = PostFault::kNone;
  if (fault_ != 0) {
    if (fake_->PostFailureFired(step.side)) fault = PostFault::kFired;
    fake_->ClearFaults(step.side);
    fault_ = 0;
  }
  if (trace_) Say(step.side, event::kReturn, spec::model::NameOfCode(code));
  if (trace_) SayPosted(step.side, posted_before);

  if (!single_) Explain(meaning, code);
  last_page_ = meaning.operation.page;
  last_refused_ = code < 0;
  WorkQueue* queue = &w.queue;
  if (step.traits().receives())
    queue = step.kind == StepKind::kSrqRecv ? &SharedReceivesOf(step.side) : &w.receives;
  const bool accepted = queue->Returned(meaning.operation, meaning.refusals, code, fault);
  if (code < 0) JudgeRefused(step, code, posted_before);
  if (code < 0 && step.traits().receives()) w.queue.AlsoRefused(last_page_);
  if (accepted) AfterPost(step, meaning);
}

void Execution::Explain(const Meaning& meaning, int code) {
  const spec::Page& page = *meaning.operation.page;
  const auto on_trial = [this](std::initializer_list<const spec::Rule*> rules) {
    for (const spec::Rule* rule : rules)
      if (rule != nullptr) explanations_.insert(rule);
  };
  for (std::size_t i = 0; i < meaning.refusals.size(); ++i)
    explanations_.insert(meaning.refusals.rule(i));
  on_trial({RuleOnTrial(meaning)});
  if (meaning.refusals.empty() && meaning.operation.signal == spec::model::Signal::kOnError)
    on_trial({page.on_error_silent, page.on_error_reports});
  if (meaning.refusals.empty() && meaning.operation.signal == spec::model::Signal::kAlways)
    on_trial({page.always_success, page.always_failure});
  on_trial({page.receive_completed, page.imm_delivered, page.message_order});
  on_trial({code < 0 ? page.accepted : page.op_context});
  if (code < 0) on_trial({page.refused_no_effect, page.usable_after_refusal});
}

// Something that this end has posted may break the connection.
void Execution::MayBreak(Side side) {
  watched(OtherThan(side)).queue.Excuse();
  watched(OtherThan(side)).blocked = true;
  client_.receives.Excuse();
  server_.receives.Excuse();
  for (spec::model::ReceiveQueue& receives : shared_receives_) receives.Excuse();
}

void Execution::AfterPost(const Step& step, const Meaning& meaning) {
  if (step.traits().message) Sent(step, meaning);
  if (step.traits().message || step.traits().receives()) WeighMessages();
  if (step.traits().receives() || meaning.operation.fate == Fate::kSucceeds) return;
  MayBreak(step.side);
  if (meaning.local_error) watched(step.side).queue.Loosen();
}

void Execution::SayPosted(Side side, std::uint64_t posted_before) const {
  if (fake_ == nullptr) return;
  const std::uint64_t posted = Posted(side) - posted_before;
  Say(side, event::kPosted,
      posted == 0 ? "nothing"
                  : spec::model::Text(posted, posted == 1 ? " work request" : " work requests"));
}

std::uint64_t Execution::Posted(Side side) const {
  return fake_ != nullptr ? fake_->Posted(side) : 0;
}

void Execution::JudgeRefused(const Step& step, int code, std::uint64_t posted_before) {
  if (fake_ == nullptr) return;
  const std::uint64_t posted = Posted(step.side) - posted_before;
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
  const Side other = OtherThan(step.side);
  Rescue(other);
  std::uint8_t* at = rig_->end(other).memory->data() + rig_->layout().d + step.remote_offset;
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
  if (fake_ == nullptr && step.remote_offset % 8 == 0) reader = std::thread(watch);
  Step write;
  write.kind = StepKind::kAtomicWrite;
  write.side = step.side;
  write.remote_offset = step.remote_offset;
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
