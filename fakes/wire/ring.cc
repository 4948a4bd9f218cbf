#include "wire/ring.h"

namespace fakenic {

void RingWriter::Look() {
  const uint64_t read = control_->read.load(std::memory_order_acquire);
  if (read - read_ <= written_ - read_) read_ = read;  // else the reader lies: no more room for it
}

// The marks of the two records behind it need room too.
bool RingWriter::HasRoom(size_t size) const {
  return kRingBytes - (written_ - read_) >= size + 2 * kRecordUnit;
}

std::byte* RingWriter::Reserve(size_t size) {
  if (!HasRoom(size)) {
    Look();
    if (!HasRoom(size)) return nullptr;
  }
  return bytes_ + written_ % kRingBytes;
}

// What lies where the next mark will be is of an earlier turn: it goes before the reader may look.
// Behind a short record it has gone already, so that its line does not hold up this one's.
void RingWriter::Commit(size_t size, uint64_t mark) {
  if (size > kRecordUnit) ClearMark(written_ + size);
  __atomic_store_n(MarkAt(written_), mark, __ATOMIC_RELEASE);
  written_ += size;
  ClearMark(written_ + kRecordUnit);
}

// The fences make sure that of a writer that publishes and a reader that falls asleep at least one
// sees the other.
bool RingWriter::MustWakeReader() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return control_->reader_sleeps.load(std::memory_order_relaxed) != 0 &&
         control_->reader_sleeps.exchange(0, std::memory_order_relaxed) != 0;
}

bool RingWriter::AwaitRoom(size_t size) {
  control_->writer_waits.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  Look();
  return HasRoom(size);
}

// A writer that waits has left almost the whole ring unread, which is given back in large parts:
// only then has the reader to look, which costs a fence.
bool RingReader::Release() {
  if (released_ == read_) return false;
  const bool writer_may_wait = owes_release();
  released_ = read_;
  control_->read.store(read_, std::memory_order_release);
  if (!writer_may_wait) return false;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return control_->writer_waits.load(std::memory_order_relaxed) != 0 &&
         control_->writer_waits.exchange(0, std::memory_order_relaxed) != 0;
}

bool RingReader::FallAsleep() {
  control_->reader_sleeps.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (empty()) return true;
  StayAwake();
  return false;
}

}  // namespace fakenic
