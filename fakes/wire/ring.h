// A ring of records in memory that two processes share: one writes, one reads, neither trusts the
// other.
//
// The bytes are mapped twice in a row, so that a record never has a seam. A record begins with a
// word that is not 0, its mark, which is written last; behind the last record stands a 0. So a
// reader that waits looks at the cache line that the record will be in, and a short record is there
// after one line has travelled. Positions count bytes and only grow. A reader that is about to
// sleep says so; a writer that finds it asleep wakes it by other means, and the same holds for a
// writer that waits for room.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fakenic {

// The words beside the bytes, in the shared memory too. What one side writes has cache lines of its
// own.
struct RingControl {
  alignas(64) std::atomic<uint64_t> read;
  alignas(64) std::atomic<uint32_t> reader_sleeps;
  alignas(64) std::atomic<uint32_t> writer_waits;
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

inline constexpr size_t kRingBytes = size_t{256} << 10;
// Records begin at multiples of this, which is a cache line; their sizes are multiples of it too.
inline constexpr size_t kRecordUnit = 64;

class RingWriter {
 public:
  RingWriter() = default;
  // bytes are mapped twice: 2 * kRingBytes may be accessed.
  RingWriter(RingControl* control, std::byte* bytes) : control_(control), bytes_(bytes) {}

  // Room for a record, to be filled but for its mark, and committed; null if there is not enough
  // now, or the reader's position makes no sense.
  std::byte* Reserve(size_t size);
  void Commit(size_t size, uint64_t mark);
  // After a commit: whether the reader sleeps and has to be woken, which the caller then does.
  bool MustWakeReader();
  // After a Reserve() that failed: asks to be woken when there is room. True if there is some
  // already.
  bool AwaitRoom(size_t size);
  // Whether the reader has taken, and given back, all that was committed.
  bool all_read() const { return control_->read.load(std::memory_order_acquire) == written_; }

 private:
  bool HasRoom(size_t size) const;
  uint64_t* MarkAt(uint64_t position) const {
    return reinterpret_cast<uint64_t*>(bytes_ + position % kRingBytes);
  }
  void ClearMark(uint64_t position) { __atomic_store_n(MarkAt(position), 0, __ATOMIC_RELAXED); }
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

  // Whether there is no record to be read; one load.
  bool empty() const { return __atomic_load_n(Mark(), __ATOMIC_ACQUIRE) == 0; }
  // The next record and whatever lies behind it: its size is for the caller to find out. Requires
  // !empty().
  std::span<const std::byte> Peek() const { return {bytes_ + read_ % kRingBytes, kRingBytes}; }
  // Goes on behind the record of this size.
  void Take(size_t size) { read_ += size; }
  // Whether so much was taken since the last release that the next one is due.
  bool owes_release() const { return read_ - released_ >= kLargeRelease; }
  // Gives back the room of what was taken. Returns whether the writer waits for it.
  bool Release();

  // Says that the reader sleeps from now on, unless something has come: then false.
  bool FallAsleep();
  void StayAwake() { control_->reader_sleeps.store(0, std::memory_order_relaxed); }

 private:
  static constexpr uint64_t kLargeRelease = kRingBytes / 8;

  const uint64_t* Mark() const {
    return reinterpret_cast<const uint64_t*>(bytes_ + read_ % kRingBytes);
  }

  RingControl* control_ = nullptr;
  const std::byte* bytes_ = nullptr;
  uint64_t read_ = 0;
  uint64_t released_ = 0;
};

}  // namespace fakenic
