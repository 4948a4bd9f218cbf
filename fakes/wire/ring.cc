#include "wire/ring.h"

namespace fakenic {

void RingWriter::Look() {
  const uint64_t read = control_->read.load(std::memory_order_acquire);
  if (read - read_ <= written_ - read_) read_ = read;  // else the reader lies: no more room for it
}

std::byte* RingWriter::Reserve(size_t size) {
  if (Free() < size) {
    Look();
    if (Free() < size) return nullptr;
  }
  return bytes_ + written_ % kRingBytes;
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
  return Free() >= size;
}

std::span<const std::byte> RingReader::Peek() {
  if (written_ == read_) {
    const uint64_t written = control_->written.load(std::memory_order_acquire);
    if (written - read_ > kRingBytes) {
      corrupt_ = true;
      return {};
    }
    written_ = written;
  }
  return {bytes_ + read_ % kRingBytes, written_ - read_};
}

// A writer that waits has left so much unread that the reader is going to see it: only then has it
// to look, which costs a fence.
bool RingReader::Release() {
  constexpr size_t kNearlyFull = kRingBytes / 4;
  if (released_ == read_) return false;
  const bool writer_may_wait = written_ - released_ > kNearlyFull;
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
