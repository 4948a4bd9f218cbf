// Execution, the part about messages: what they are to the model, and the suite's own.
#include <algorithm>
#include <cstring>

#include "property_tests/worker/execution.h"
#include "spec/model/text.h"

namespace conformance {

using spec::model::Fate;
using spec::model::Label;
using spec::model::Operation;
using spec::model::ReceiveQueue;
using spec::model::SentMessage;
using spec::model::Text;

namespace {

constexpr std::size_t kOwnMessageAt = 16;  // in the marker's region
constexpr std::size_t kOwnMessageBytes = 8;

const void* OwnContext() { return reinterpret_cast<const void*>(kOwnContext); }

}  // namespace

// An operation that takes a receive of the other end was accepted.
void Execution::Sent(const Step& step, const Meaning& meaning) {
  const Side to = OtherThan(step.side);
  const Operation& operation = meaning.operation;
  const bool write = step.kind == StepKind::kWriteImm;
  const auto length = static_cast<std::uint32_t>(operation.zero_byte ? 0 : step.len);
  const Label label{write, step.traits().imm, step.traits().imm ? step.imm : 0, length};
  SentMessage message;
  message.sender = &watched(step.side).queue;
  message.index = message.sender->operations().size() - 1;
  message.to = static_cast<int>(to);
  message.label = label;
  ReceivesOf(to).Expect(message);
}

// A receive that cannot take a message makes both ends' future open.
void Execution::WeighMessages() {
  WeighMessages(client_.receives);
  WeighMessages(server_.receives);
  for (ReceiveQueue& receives : shared_receives_) WeighMessages(receives);
}

void Execution::WeighMessages(ReceiveQueue& receives) {
  for (const SentMessage& message : receives.messages()) {
    const spec::Rule* rule = nullptr;
    if (message.over() || !receives.MayFail(message, &rule)) continue;
    const Side from = OtherThan(static_cast<Side>(message.to));
    if (message.operation().fate == Fate::kSucceeds) watched(from).queue.Doubt(message.index, rule);
    MayBreak(from);
  }
}

// A receive of the suite's own, large enough for any message.
bool Execution::PostOwnReceive(Side side) {
  const Library& lib = rig_->library(side);
  End& end = rig_->end(side);
  const std::size_t len = rig_->layout().region;
  const int code =
      config_.srq > 0
          ? lib.rpma_srq_recv(end.srq, end.marker, Rig::kOwnReceiveAt, len, OwnContext())
          : lib.rpma_recv(end.conn, end.marker, Rig::kOwnReceiveAt, len, OwnContext());
  if (trace_)
    Say(side, event::kSuite,
        "posts a receive of its own: returned " + spec::model::NameOfCode(code));
  if (code != 0) return false;
  own_buffer_used_ = true;
  AdoptOwnReceive(side);
  return true;
}

void Execution::AdoptOwnReceive(Side side) {
  Operation own;
  own.wr_id = kOwnContext;
  own.length = rig_->layout().region;
  own.memory = static_cast<int>(side);
  ReceivesOf(side).Adopt(own);
}

// A message of the suite's own, with the bytes of its marker region.
void Execution::SendOwnMessage(Side side, std::size_t len) {
  End& end = rig_->end(side);
  const int code = rig_->library(side).rpma_send(end.conn, len > 0 ? end.marker : nullptr,
                                                 len > 0 ? kOwnMessageAt : 0, len,
                                                 RPMA_F_COMPLETION_ALWAYS, OwnContext());
  if (trace_)
    Say(side, event::kSuite,
        spec::model::Text("sends a message of its own of ", len, " bytes: returned ",
                          spec::model::NameOfCode(code)));
  if (code != 0) return;
  Operation own;
  own.wr_id = kOwnContext;
  own.writes = spec::model::Writes::kNothing;
  own.length = len;
  own.source = end.marker_memory->pristine().data() + kOwnMessageAt;
  spec::model::SendQueue& queue = watched(side).queue;
  queue.Adopt(own);
  SentMessage message;
  message.sender = &queue;
  message.index = queue.operations().size() - 1;
  message.to = static_cast<int>(OtherThan(side));
  message.label.byte_len = static_cast<std::uint32_t>(len);
  ReceivesOf(OtherThan(side)).Expect(message);
  WeighMessages();
}

// After a single receive was accepted: a message for it. After it was refused: one for a receive of
// the suite's own, which shows that the queue works.
void Execution::AwaitOwnMessage(const Step& step) {
  const ReceiveQueue& receives = ReceivesOf(step.side);
  if (!abilities_.messages || last_page_ == nullptr) return;
  const bool refused = receives.operations().empty();
  if (refused && !PostOwnReceive(step.side)) return;
  const bool region = refused || step.local != Local::kNull;
  const std::size_t cut = step.len & UINT32_MAX;  // what a library that cuts lengths prepares
  const std::size_t len = std::min<std::size_t>(refused ? kOwnMessageBytes : cut, kOwnMessageBytes);
  SendOwnMessage(OtherThan(step.side), region ? len : 0);
}

void Execution::JudgeOwnMessage(const Step& step) {
  const ReceiveQueue& receives = ReceivesOf(step.side);
  if (!abilities_.messages || !last_refused_ || !receives.taken().empty()) return;
  Broke({{last_page_->usable_after_refusal},
         "a receive posted afterwards takes a message",
         "after the refused call it was refused, or took none"});
}

// A NIC that is not the fake waits so long for a receive that no message is sent to it without one.
void Execution::MakeReceiveReady(Side side) {
  ReceiveQueue& receives = ReceivesOf(side);
  if (fake_ != nullptr || receives.waiting(/*more=*/1) == 0) return;
  if (receives.full()) PollUntil(side, [&] { return !receives.full(); });
  PostOwnReceive(side);
}

// Messages that wait for a receive get one of the suite's own.
void Execution::Rescue(Side side) {
  constexpr int kMost = 64;
  ReceiveQueue& receives = ReceivesOf(side);
  for (int i = 0; i < kMost && receives.waiting() > 0 && !finding_; ++i) {
    if (receives.full()) PollUntil(side, [&] { return !receives.full(); });
    if (finding_ || receives.waiting() == 0) return;
    if (!PostOwnReceive(side)) break;
    TakeSteps(SIZE_MAX, 0);
  }
  if (receives.waiting() > 0) MayBreak(side);
}

// A message of the library's has come into the suite's own buffer, and nothing else has.
void Execution::CheckOwnBuffer(Side side, const ReceiveQueue& receives) {
  if (!single_ || receives.taken().empty()) return;
  MemoryBlock& memory = *rig_->end(side).marker_memory;
  const SentMessage& message = receives.messages()[receives.taken().back().message];
  const Operation& sent = message.operation();
  if (sent.page == nullptr) return;
  const std::span<const std::uint8_t> now = memory.now().subspan(Rig::kOwnReceiveAt);
  std::vector<std::uint8_t> expected(memory.pristine().begin() + Rig::kOwnReceiveAt,
                                     memory.pristine().end());
  const std::size_t length = message.label.write ? 0 : std::min(sent.length, expected.size());
  if (length > 0) std::memcpy(expected.data(), sent.source, length);
  if (length > 0) Tested(sent.page->data_written);
  for (std::size_t at = 0; at < expected.size(); ++at) {
    if (now[at] == expected[at]) continue;
    Broke({{at < length ? sent.page->data_written : sent.page->data_bounds},
           Text("byte ", at, " of the buffer that took the message is 0x",
                spec::model::Hex(expected[at])),
           Text("it is 0x", spec::model::Hex(now[at]))});
    break;
  }
  memory.Restore();
  own_buffer_used_ = false;
}

}  // namespace conformance
