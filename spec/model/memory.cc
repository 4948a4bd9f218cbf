#include "spec/model/memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "spec/model/text.h"

namespace spec::model {

namespace {

// True if `word` holds bytes of `old` and of `fresh`, and is neither.
bool Mix(const std::uint8_t* word, const std::uint8_t* old, const std::uint8_t* fresh) {
  if (std::memcmp(word, old, 8) == 0 || std::memcmp(word, fresh, 8) == 0) return false;
  for (int i = 0; i < 8; ++i)
    if (word[i] != old[i] && word[i] != fresh[i]) return false;
  return true;
}

}  // namespace

void MemoryCheck::Begin(const MemoryView& memory) {
  memory_ = memory;
  effects_.clear();
}

void MemoryCheck::WrittenBy(const SendQueue& other, bool alive) {
  const std::vector<Operation>& operations = other.operations();
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& o = operations[i];
    if (o.page == nullptr || o.marker) continue;
    witness_->Tested(o.page->data_bounds);
    if (o.writes != Writes::kOther || o.length == 0) continue;
    effects_.push_back(
        {&o, nullptr, o.target, o.bytes(), o.length, other.Done(i, alive), false, nullptr});
    if (effects_.back().certain && o.atomic()) witness_->Tested(o.page->source_reuse);
  }
}

void MemoryCheck::ReadBy(const SendQueue& own, bool alive) {
  const std::vector<Operation>& operations = own.operations();
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& o = operations[i];
    if (o.page == nullptr || o.marker || o.writes != Writes::kOwn || o.length == 0) continue;
    effects_.push_back(
        {&o, nullptr, o.target, o.bytes(), o.length, own.Done(i, alive), false, &own});
  }
}

namespace {

// Whether another message, whose order with this one nothing decides, came into the same bytes.
bool Races(const ReceiveQueue& receives, const Taken& taken) {
  const Operation& own = receives.operations()[taken.receive];
  const int to = receives.messages()[taken.message].to;
  for (const Taken& other : receives.taken()) {
    const Operation& receive = receives.operations()[other.receive];
    if (receives.messages()[other.message].to != to && receive.memory == own.memory &&
        receive.target < own.target + own.length && own.target < receive.target + receive.length)
      return true;
  }
  return false;
}

}  // namespace

void MemoryCheck::ReceivedBy(const ReceiveQueue& receives, int memory) {
  const std::vector<Operation>& operations = receives.operations();
  for (const Taken& taken : receives.taken()) {
    const Operation& receive = operations[taken.receive];
    if (receive.page == nullptr || receive.memory != memory) continue;
    witness_->Tested(receive.page->data_bounds);
    const SentMessage& message = receives.messages()[taken.message];
    const Operation& sent = message.operation();
    if (message.label.write || sent.source == nullptr) continue;
    const std::size_t length = std::min<std::size_t>(message.label.byte_len, receive.length);
    if (length == 0) continue;
    effects_.push_back({&receive,
                        &sent,
                        receive.target,
                        {sent.source, length},
                        length,
                        /*certain=*/!Races(receives, taken),
                        false,
                        nullptr});
  }
  if (!receives.excused()) return;
  for (const Operation& receive : operations)
    if (!receive.succeeded && receive.page != nullptr && receive.memory == memory)
      effects_.push_back(
          {&receive, nullptr, receive.target, {}, receive.length, false, true, nullptr});
}

void MemoryCheck::Judge(const Page* last, bool refused) {
  expected_.assign(memory_.pristine.begin(), memory_.pristine.end());
  for (const Effect& effect : effects_) {
    if (!effect.certain) continue;
    std::memcpy(expected_.data() + effect.target, effect.bytes.data(), effect.bytes.size());
    witness_->Tested(effect.operation->page->data_written);
    if (effect.sent != nullptr && effect.sent->page != nullptr)
      witness_->Tested(effect.sent->page->data_written);
  }
  if (std::memcmp(expected_.data(), memory_.now.data(), expected_.size()) == 0) return;
  for (std::size_t at = 0; at < expected_.size(); ++at)
    if (expected_[at] != memory_.now[at] && !Possible(at)) return BlameByte(at, last, refused);
}

bool MemoryCheck::Allows(const Effect& effect, std::size_t at, std::uint8_t held) const {
  if (effect.anything || effect.bytes[at - effect.target] == held) return true;
  if (effect.changes == nullptr) return false;
  // A read may have seen any of the writes to its source, or none.
  const std::size_t from = effect.operation->from + (at - effect.target);
  for (const Operation& o : effect.changes->operations())
    if (o.page != nullptr && o.writes == Writes::kOther && Covers(o, from) &&
        o.bytes()[from - o.target] == held)
      return true;
  return false;
}

bool MemoryCheck::Possible(std::size_t at) const {
  bool possible = memory_.now[at] == memory_.pristine[at];
  for (const Effect& effect : effects_) {
    if (at < effect.target || at - effect.target >= effect.length) continue;
    const bool matches = Allows(effect, at, memory_.now[at]);
    possible = effect.certain ? matches : possible || matches;
  }
  return possible;
}

void MemoryCheck::BlameByte(std::size_t at, const Page* last, bool refused) {
  const Effect* covering = nullptr;
  for (const Effect& effect : effects_)
    if (at >= effect.target && at - effect.target < effect.length) covering = &effect;
  if (covering != nullptr) return BlameEffect(*covering, at);
  if (last == nullptr) return;
  const std::string where = Text("byte ", at, " of the ", memory_.name, "'s memory");
  witness_->Broke({{refused ? last->refused_no_effect : last->data_bounds},
                   Text(where, " stays 0x", Hex(memory_.pristine[at])),
                   Text(where, " became 0x", Hex(memory_.now[at]))});
}

void MemoryCheck::BlameEffect(const Effect& effect, std::size_t at) {
  const std::string where = Text("byte ", at, " of the ", memory_.name, "'s memory");
  const unsigned held = memory_.now[at];
  const Operation& o = *effect.operation;
  const bool reused = o.atomic() && held == kScribble;
  Finding finding{{}, Text(where, " is 0x", Hex(effect.bytes[at - effect.target])), {}};
  finding.seen =
      reused ? Text(where, " is 0x", Hex(held), ", put over the source after the call returned")
             : Text(where, " is 0x", Hex(held), ", was 0x", Hex(memory_.pristine[at]), " before");
  if (effect.sent != nullptr && effect.sent->page != nullptr)
    finding.blame.push_back(effect.sent->page->data_written);
  finding.blame.push_back(reused ? o.page->source_reuse : o.page->data_written);
  witness_->Broke(std::move(finding));
}

void MemoryCheck::Flushed(const MemoryView& memory, const SendQueue& initiator, std::size_t flush) {
  Begin(memory);
  const std::vector<Operation>& operations = initiator.operations();
  bool any = false;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& o = operations[i];
    if (o.page == nullptr || o.marker || o.writes != Writes::kOther || o.length == 0) continue;
    const bool before = i < flush && initiator.Done(i, /*alive=*/false);
    any |= before;
    effects_.push_back({&o, nullptr, o.target, o.bytes(), o.length, before, false, nullptr});
  }
  if (!any) return;
  const Page& page = *operations[flush].page;
  witness_->Tested(page.data_written);
  for (const Effect& effect : effects_) {
    if (!effect.certain) continue;
    for (std::size_t at = effect.target; at < effect.target + effect.length; ++at)
      if (!Possible(at))
        return witness_->Broke(
            {{page.data_written},
             Text("byte ", at, " of the ", memory.name, "'s memory is 0x",
                  Hex(effect.bytes[at - effect.target]), " when the flush has completed"),
             Text("it is 0x", Hex(memory.now[at]))});
  }
}

void MemoryCheck::Untorn(const MemoryView& memory, const SendQueue& initiator) {
  const std::vector<Operation>& operations = initiator.operations();
  for (const Operation& o : operations) {
    if (!o.atomic() || o.length != 8 || o.target % 8 != 0) continue;
    const std::uint8_t* word = memory.now.data() + o.target;
    const std::uint8_t* old = memory.pristine.data() + o.target;
    bool whole = std::memcmp(word, old, 8) == 0;
    bool mixed = false;
    for (const Operation& other : operations) {
      if (other.writes != Writes::kOther || other.target + other.length <= o.target ||
          other.target >= o.target + 8)
        continue;
      if (!other.atomic() || other.target != o.target) {
        whole = true;  // something else aims at these bytes too: any mix is possible
        break;
      }
      whole |= std::memcmp(word, other.word.data(), 8) == 0;
      mixed |= Mix(word, old, other.word.data());
      for (const Operation& earlier : operations)
        if (earlier.target == o.target) mixed |= Mix(word, earlier.word.data(), other.word.data());
    }
    witness_->Tested(o.page->untorn);
    if (whole || !mixed) continue;
    std::uint64_t value;
    std::memcpy(&value, word, 8);
    witness_->Broke({{o.page->untorn, o.page->data_written},
                     "the old or the new 8 bytes",
                     Text("a reader saw 0x", Hex(value), " at byte ", o.target, " of the ",
                          memory.name, "'s memory, a mix of both")});
    return;
  }
}

}  // namespace spec::model
