// A ring of records in memory that two processes share: one writes, one reads, neither trusts the
// other.
//
// The bytes are mapped twice in a row, so that a record never has a seam. Positions count bytes and
// only grow. A reader that is about to sleep says so; a writer that finds it asleep wakes it by
// other means, and the same holds for a writer that waits for room.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fakenic {

// The words beside the bytes, in the shared memory too. What one side writes has cache lines of its
// own.
struct RingControl {
  alignas(64) std::atomic<uint64_t> written;
  alignas(64) std::atomic<uint64_t> read;
  alignas(64) std::atomic<uint32_t> reader_sleeps;
  alignas(64) std::atomic<uint32_t> writer_waits;
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

inline constexpr size_t kRingBytes = size_t{256} << 10;

class RingWriter {
 public:
  RingWriter() = default;
  // bytes are mapped twice: 2 * kRingBytes may be accessed.
  RingWriter(RingControl* control, std::byte* bytes) : control_(control), bytes_(bytes) {}

  // Room for a record, to be filled and committed; null if there is not enough now, or the reader's
  // position makes no sense.
  std::byte* Reserve(size_t size);
  void Commit(size_t size) {
    written_ += size;
    control_->written.store(written_, std::memory_order_release);
  }
  // After a commit: whether the reader sleeps and has to be woken, which the caller then does.
  bool MustWakeReader();
  // After a Reserve() that failed: asks to be woken when there is room. True if there is some
  // already.
  bool AwaitRoom(size_t size);

 private:
  size_t Free() const { return kRingBytes - (written_ - read_); }
  void Look();

  RingControl* control_ = nullptr;
  std::byte* bytes_ = nullptr;
  uint64_t written_ = 0;
  uint64_t read_ = 0;  // as last seen
};

class RingReader {
 public:
  RingReader() = default;
  RingReader(RingControl* control, const std::byte* bytes) : control_(control), bytes_(bytes) {}

  // What is there to be read; empty if nothing is. corrupt() if the writer's position makes no
  // sense.
  std::span<const std::byte> Peek();
  bool corrupt() const { return corrupt_; }
  // Whether Peek() would find something; one load.
  bool empty() const { return control_->written.load(std::memory_order_acquire) == read_; }
  // Requires that Peek() showed as much.
  void Take(size_t size) { read_ += size; }
  // Gives back the room of what was taken. Returns whether the writer waits for it.
  bool Release();

  // Says that the reader sleeps from now on, unless something has come: then false.
  bool FallAsleep();
  void StayAwake() { control_->reader_sleeps.store(0, std::memory_order_relaxed); }

 private:
  RingControl* control_ = nullptr;
  const std::byte* bytes_ = nullptr;
  uint64_t read_ = 0;
  uint64_t released_ = 0;
  uint64_t written_ = 0;  // as last seen
  bool corrupt_ = false;
};

}  // namespace fakenic
