#include "spec/model/receive_queue.h"

#include <algorithm>
#include <utility>

#include "spec/model/text.h"

namespace spec::model {

namespace {

constexpr std::size_t kNoReceive = static_cast<std::size_t>(-1);

std::string Say(const Label& label) {
  std::string text = label.write ? "RECV_RDMA_WITH_IMM" : "RECV";
  if (label.has_imm) text += Text(" imm 0x", Hex(label.imm));
  return text + Text(" byte_len ", label.byte_len);
}

std::string Say(const Arrival& arrival) {
  const std::string text =
      Text("completion of a receive, wr_id 0x", Hex(arrival.wr_id), " status ", arrival.status);
  return arrival.success ? text + ' ' + Say(arrival.label) : text;
}

}  // namespace

void ReceiveQueue::Reset(std::size_t depth) {
  Clear(depth);
  messages_.clear();
  taken_.clear();
  excused_ = false;
}

std::size_t ReceiveQueue::outstanding() const {
  return static_cast<std::size_t>(
      std::count_if(operations_.begin(), operations_.end(),
                    [](const Operation& receive) { return receive.completions == 0; }));
}

bool ReceiveQueue::Awaits(std::uint64_t wr_id) const { return Match(wr_id) != kNoReceive; }

std::size_t ReceiveQueue::Match(std::uint64_t wr_id) const {
  for (std::size_t i = 0; i < operations_.size(); ++i)
    if (operations_[i].wr_id == wr_id && operations_[i].completions == 0) return i;
  return kNoReceive;
}

std::size_t ReceiveQueue::waiting(std::size_t more) const {
  std::size_t under_way = more;
  for (const SentMessage& message : messages_) under_way += message.over() ? 0 : 1;
  const std::size_t ready = outstanding();
  return under_way > ready ? under_way - ready : 0;
}

std::size_t ReceiveQueue::Owed(int to, bool alive) const {
  return static_cast<std::size_t>(
      std::count_if(messages_.begin(), messages_.end(), [&](const SentMessage& message) {
        return message.to == to && !message.arrived && message.sender->Done(message.index, alive);
      }));
}

bool ReceiveQueue::MayArrive(int to) const {
  return std::any_of(messages_.begin(), messages_.end(), [&](const SentMessage& message) {
    return message.to == to && !message.over() &&
           message.sender->FateOf(message.index) == Fate::kOpen;
  });
}

void ReceiveQueue::Stuck(int to, bool waited) {
  if ((excused_ && !waited) || outstanding() == 0) return;
  const Operation* receive = FirstOutstanding();
  for (const SentMessage& message : messages_) {
    if (message.to != to || message.over()) continue;
    if (!waited && message.sender->FateOf(message.index) != Fate::kSucceeds) continue;
    const Page* sender = message.operation().page;
    const Page* receiver = shared_ != nullptr ? shared_ : receive->page;
    const Rule* of_receive = nullptr;
    if (receiver != nullptr)
      of_receive =
          receiver->serves_all != nullptr ? receiver->serves_all : receiver->always_success;
    Finding finding{{}, "the message takes one of the receives that await it", {}};
    finding.seen = Text(outstanding(), " receives await a message, and it does not arrive");
    if (of_receive != nullptr) finding.blame.push_back(of_receive);
    if (sender != nullptr) finding.blame.push_back(sender->receive_completed);
    if (!finding.blame.empty()) witness_->Broke(std::move(finding));
    return;
  }
}

const Operation* ReceiveQueue::FirstOutstanding() const {
  for (const Operation& receive : operations_)
    if (receive.completions == 0) return &receive;
  return nullptr;
}

bool ReceiveQueue::FailsForSure() const {
  if (connection_ == nullptr) return false;
  return std::any_of(connection_->operations().begin(), connection_->operations().end(),
                     [](const Operation& o) { return o.failed; });
}

bool ReceiveQueue::OwesFailures() const { return FailsForSure() && outstanding() > 0; }

bool ReceiveQueue::MayFail(const SentMessage& message, const Rule** rule) const {
  for (const Operation& receive : operations_) {
    if (receive.completions > 0) continue;
    const bool too_short = !message.label.write && receive.length < message.label.byte_len;
    if (receive.fate == Fate::kSucceeds && !too_short) continue;
    *rule = too_short ? message.operation().page != nullptr
                            ? message.operation().page->message_too_long
                            : nullptr
                      : nullptr;
    return true;
  }
  return false;
}

// The message that has to arrive next at an end.
SentMessage* ReceiveQueue::Next(int to) {
  for (SentMessage& message : messages_)
    if (message.to == to && !message.arrived) return &message;
  return nullptr;
}

void ReceiveQueue::Arrived(int to, const Arrival& arrival) {
  const std::size_t receive = Match(arrival.wr_id);
  if (receive == kNoReceive) return Unmatched(arrival);
  ++operations_[receive].completions;
  if (arrival.success)
    Succeeded(receive, to, arrival);
  else
    Failed(receive, arrival);
  (arrival.success ? operations_[receive].succeeded : operations_[receive].failed) = true;
}

void ReceiveQueue::Unmatched(const Arrival& arrival) {
  if (CompletesRefused(arrival.wr_id, Say(arrival))) return;
  const Operation* owing = nullptr;
  const Operation* same = nullptr;
  for (const Operation& receive : operations_) {
    if (receive.wr_id == arrival.wr_id) same = &receive;
    if (owing == nullptr && receive.completions == 0) owing = &receive;
  }
  const Rule* context = owing != nullptr && Judged(*owing) ? owing->page->op_context : nullptr;
  const Operation* last = same != nullptr ? same : LastJudged();
  const Rule* once = last != nullptr && Judged(*last) ? last->page->always_success : nullptr;
  Finding finding{{}, "exactly one completion of each receive that takes a message", Say(arrival)};
  if (context != nullptr && same == nullptr)
    finding = {{context}, Text("a completion with wr_id 0x", Hex(owing->wr_id)), Say(arrival)};
  else if (once != nullptr)
    finding.blame = {once};
  if (!finding.blame.empty()) witness_->Broke(std::move(finding));
}

void ReceiveQueue::Failed(std::size_t index, const Arrival& arrival) {
  const Operation& receive = operations_[index];
  if (!Judged(receive)) return;
  witness_->Tested(receive.page->op_context);
  const bool expected = excused_ || !healthy() || receive.fate != Fate::kSucceeds;
  if (!expected)
    return Break(receive, receive.page->data_written, "a completion with status success",
                 Say(arrival));
  if (receive.uncarried) witness_->Tested(receive.page->length_whole);
}

void ReceiveQueue::Succeeded(std::size_t index, int to, const Arrival& arrival) {
  const Operation& receive = operations_[index];
  if (Judged(receive)) witness_->Tested(receive.page->op_context);
  if (receive.uncarried && Judged(receive))
    return witness_->Broke({{receive.page->length_whole},
                            "a negative code of the page, or one completion with an error status",
                            Say(arrival)});
  SentMessage* message = Next(to);
  if (message == nullptr) {
    const SentMessage* last = messages_.empty() ? nullptr : &messages_.back();
    return Blame(last,
                 last != nullptr && last->operation().page != nullptr
                     ? last->operation().page->receive_completed
                     : nullptr,
                 &receive, Judged(receive) ? receive.page->always_success : nullptr,
                 "no completion of a receive without a message", Say(arrival));
  }
  if (message->label != arrival.label) return Mislabelled(receive, *message, arrival);
  message->arrived = true;
  const Operation& sent = message->operation();
  if (sent.uncarried && sent.page != nullptr)
    return witness_->Broke(
        {{FalseSuccessRule(sent)}, "no message of a length that was not carried", Say(arrival)});
  taken_.push_back({index, static_cast<std::size_t>(message - messages_.data())});
  if (sent.page != nullptr) {
    witness_->Tested(sent.page->receive_completed);
    if (sent.page->imm_delivered != nullptr) witness_->Tested(sent.page->imm_delivered);
  }
  if (!Judged(receive)) return;
  witness_->Tested(receive.zero_byte ? receive.page->zero_byte : receive.page->always_success);
  if (taken_.size() > 1) witness_->Tested(receive.page->message_order);
  if (receive.page->serves_all != nullptr &&
      std::any_of(messages_.begin(), messages_.end(),
                  [&](const SentMessage& other) { return other.arrived && other.to != to; }))
    witness_->Tested(receive.page->serves_all);
  SawOrder(index);
}

void ReceiveQueue::SawOrder(std::size_t index) {
  bool overtook = false;
  for (std::size_t i = 0; i < index; ++i) overtook |= operations_[i].completions == 0;
  witness_->Saw(operations_[index].page->completion_order,
                overtook ? Sight::kOutOfOrder : Sight::kInOrder);
}

void ReceiveQueue::Mislabelled(const Operation& receive, const SentMessage& message,
                               const Arrival& arrival) {
  const bool of_another =
      std::any_of(messages_.begin(), messages_.end(), [&](const SentMessage& other) {
        return !other.arrived && other.to == message.to && other.label == arrival.label;
      });
  const Page* sender = message.operation().page;
  const Page* receiver = receive.page;
  const std::string allowed = "completion of a receive, " + Say(message.label);
  if (of_another && receiver != nullptr)
    return Blame(&message, nullptr, &receive, receiver->message_order, allowed, Say(arrival));
  const bool imm =
      message.label.has_imm != arrival.label.has_imm || message.label.imm != arrival.label.imm;
  const Rule* of_message = nullptr;
  if (sender != nullptr)
    of_message =
        imm && sender->imm_delivered != nullptr ? sender->imm_delivered : sender->receive_completed;
  Blame(&message, of_message, &receive, receiver != nullptr ? receiver->always_success : nullptr,
        allowed, Say(arrival));
}

void ReceiveQueue::Blame(const SentMessage* message, const Rule* of_message,
                         const Operation* receive, const Rule* of_receive, std::string allowed,
                         std::string seen) {
  Finding finding{{}, std::move(allowed), std::move(seen)};
  if (message != nullptr && of_message != nullptr) {
    const Operation& sent = message->operation();
    if (sent.zero_byte) finding.blame.push_back(sent.page->zero_byte);
    finding.blame.push_back(of_message);
  }
  if (receive != nullptr && of_receive != nullptr) {
    if (receive->zero_byte) finding.blame.push_back(receive->page->zero_byte);
    finding.blame.push_back(of_receive);
  }
  if (!finding.blame.empty()) witness_->Broke(std::move(finding));
}

const Operation* ReceiveQueue::LastJudged() const {
  const Operation* last = nullptr;
  for (const Operation& receive : operations_)
    if (Judged(receive)) last = &receive;
  return last;
}

void ReceiveQueue::Settled(bool alive) {
  for (const SentMessage& message : messages_) {
    if (message.arrived || !message.sender->Done(message.index, alive)) continue;
    const Page* page = message.operation().page;
    const Operation* receive = FirstOutstanding();
    if (receive == nullptr) receive = LastJudged();
    const bool judged = receive != nullptr && Judged(*receive);
    Blame(&message, page != nullptr ? page->receive_completed : nullptr, receive,
          judged ? receive->page->always_success : nullptr,
          "completion of a receive, " + Say(message.label), "no completion of a receive");
    return;
  }
  for (const Operation& receive : operations_) {
    if (!Judged(receive)) continue;
    if (receive.open_rule != nullptr && receive.completions > 0)
      witness_->Saw(receive.open_rule, receive.failed ? Sight::kFailed : Sight::kSucceeded);
    // The failed operation's own completion may come behind those of the receives.
    const Rule* reports = FailsForSure() ? receive.page->always_failure : nullptr;
    if (reports == nullptr) continue;
    if (receive.failed) witness_->Tested(reports);
    if (receive.completions == 0 && receive.fate == Fate::kSucceeds)
      return Break(receive, reports, "exactly one completion, with an error status",
                   "no completion, and the connection is broken");
  }
  SettleRefused(alive);
}

}  // namespace spec::model
