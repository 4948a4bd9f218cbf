// One posted operation as the model sees it: what its call said, and what has been seen of it
// since.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "spec/page.h"

namespace spec::model {

// When a success is to be reported.
enum class Signal { kOnError, kAlways, kOpen };

// What must become of an operation, as far as its own arguments decide.
enum class Fate { kSucceeds, kFails, kOpen };

// Whose memory an operation writes to.
enum class Writes { kNothing, kOther, kOwn };

// The flags argument as the pages define it: two values mean something, all others are open.
constexpr Signal SignalOf(int flags) {
  constexpr int kOnErrorFlag = 1;
  constexpr int kAlwaysFlag = 3;
  if (flags == kOnErrorFlag) return Signal::kOnError;
  if (flags == kAlwaysFlag) return Signal::kAlways;
  return Signal::kOpen;
}

struct Operation {
  const Page* page = nullptr;  // nullptr: of a function that is not under judgement
  bool marker = false;         // the suite's own, posted to learn that what came before is over
  std::uint64_t wr_id = 0;
  Signal signal = Signal::kAlways;
  Fate fate = Fate::kSucceeds;
  bool zero_byte = false;           // the form without a region
  bool uncarried = false;           // its length or range cannot be carried
  bool region_end = false;          // of a flush: close to the end of its region
  const Rule* open_rule = nullptr;  // the unspecified rule that its outcome is a sight of
  Writes writes = Writes::kOther;
  std::size_t target = 0;  // offset of its first target byte in the memory that it writes to
  std::size_t length = 0;  // target bytes, clipped to the region; of a receive: its buffer's
  std::size_t from = 0;    // of a read: offset of its first source byte in the other end's memory
  int memory = 0;          // of a receive: the end whose memory has its buffer
  const std::uint8_t* source = nullptr;  // at least `length` bytes; nullptr: `word`
  std::array<std::uint8_t, 8> word{};    // the caller's 8 bytes of an atomic write

  int completions = 0;
  bool succeeded = false;  // a completion with status success was seen
  bool failed = false;     // a completion with an error status was seen
  bool excused = false;    // its completion may never come: the other end is gone

  std::span<const std::uint8_t> bytes() const {
    return {source != nullptr ? source : word.data(), length};
  }
  bool atomic() const { return page != nullptr && page->untorn != nullptr; }
};

inline bool Covers(const Operation& o, std::size_t at) {
  return at >= o.target && at - o.target < o.length;
}

// The rule for an operation that succeeds, and for one that fails.
inline const Rule* SuccessRule(const Operation& o) {
  return o.signal == Signal::kOnError ? o.page->on_error_silent : o.page->always_success;
}
inline const Rule* FailureRule(const Operation& o) {
  return o.signal == Signal::kOnError ? o.page->on_error_reports : o.page->always_failure;
}

// The rule that is broken when an operation that had to succeed fails.
inline const Rule* FalseFailureRule(const Operation& o) {
  return o.region_end && o.page->region_end != nullptr ? o.page->region_end : o.page->data_written;
}

// The rule that is broken when an operation that cannot have been carried out counts as a success.
inline const Rule* FalseSuccessRule(const Operation& o) {
  if (!o.uncarried) return FailureRule(o);
  return o.page->length_whole != nullptr ? o.page->length_whole : o.page->data_written;
}

}  // namespace spec::model
