#include "spec/model/memory.h"

#include <cstring>

#include "spec/model/text.h"

namespace spec::model {

namespace {

bool Covers(const Operation& o, std::size_t at) {
  return at >= o.target && at - o.target < o.length;
}

// True if `word` holds bytes of `old` and of `fresh`, and is neither.
bool Mix(const std::uint8_t* word, const std::uint8_t* old, const std::uint8_t* fresh) {
  if (std::memcmp(word, old, 8) == 0 || std::memcmp(word, fresh, 8) == 0) return false;
  for (int i = 0; i < 8; ++i)
    if (word[i] != old[i] && word[i] != fresh[i]) return false;
  return true;
}

}  // namespace

// Whether the operation's bytes are certainly in place: it had to succeed, and it or a later one is
// known to have.
bool MemoryCheck::Certain(const SendQueue& queue, std::size_t index) const {
  const std::vector<Operation>& operations = queue.operations();
  if (operations[index].succeeded) return true;
  if (operations[index].failed || queue.FateOf(index) != Fate::kSucceeds) return false;
  bool known = alive_;
  for (std::size_t i = index + 1; i < operations.size(); ++i) known |= operations[i].succeeded;
  return known;
}

void MemoryCheck::Settled(const MemoryView& memory, const SendQueue& initiator, bool alive) {
  alive_ = alive;
  expected_.assign(memory.pristine.begin(), memory.pristine.end());
  const std::vector<Operation>& operations = initiator.operations();
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& o = operations[i];
    if (o.page == nullptr || o.marker) continue;
    witness_->Tested(o.page->data_bounds);
    if (o.length == 0 || !Certain(initiator, i)) continue;
    std::memcpy(expected_.data() + o.target, o.bytes().data(), o.length);
    witness_->Tested(o.page->data_written);
    if (o.atomic()) witness_->Tested(o.page->source_reuse);
  }
  if (std::memcmp(expected_.data(), memory.now.data(), expected_.size()) == 0) return;
  for (std::size_t at = 0; at < expected_.size(); ++at)
    if (expected_[at] != memory.now[at] && !Possible(at, memory, initiator))
      return BlameByte(at, memory, initiator);
}

bool MemoryCheck::Possible(std::size_t at, const MemoryView& memory,
                           const SendQueue& initiator) const {
  const std::vector<Operation>& operations = initiator.operations();
  bool possible = memory.now[at] == memory.pristine[at];
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& o = operations[i];
    if (!Covers(o, at)) continue;
    const bool matches = o.bytes()[at - o.target] == memory.now[at];
    possible = Certain(initiator, i) ? matches : possible || matches;
  }
  return possible;
}

void MemoryCheck::BlameByte(std::size_t at, const MemoryView& memory, const SendQueue& initiator) {
  const Operation* covering = nullptr;
  for (const Operation& o : initiator.operations())
    if (Covers(o, at)) covering = &o;
  const unsigned held = memory.now[at];
  const unsigned before = memory.pristine[at];
  const std::string where = Text("byte ", at, " of the ", memory.name, "'s memory");
  if (covering == nullptr) {
    const Page* page = initiator.last_page();
    if (page == nullptr) return;
    const bool refused = initiator.operations().empty() && initiator.AnyRefused();
    return witness_->Broke({{refused ? page->refused_no_effect : page->data_bounds},
                            Text(where, " stays 0x", Hex(before)),
                            Text(where, " became 0x", Hex(held))});
  }
  const unsigned wanted = covering->bytes()[at - covering->target];
  const bool reused = covering->atomic() && held == kScribble;
  witness_->Broke(
      {{reused ? covering->page->source_reuse : covering->page->data_written},
       Text(where, " is 0x", Hex(wanted)),
       reused ? Text(where, " is 0x", Hex(held), ", put over the source after the call returned")
              : Text(where, " is 0x", Hex(held), ", was 0x", Hex(before), " before")});
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
      if (other.target + other.length <= o.target || other.target >= o.target + 8) continue;
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
