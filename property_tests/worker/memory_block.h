// The memory of one end: its regions side by side with guard bytes between them, and how it looked
// at first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace conformance {

// Where the regions lie. All have the same size; `odd` starts at an address that is not a multiple
// of 8.
struct Layout {
  explicit Layout(std::size_t region);

  std::size_t region;
  std::size_t d, odd, nowrite, noread, foreign, stale;  // for the other end
  std::size_t s, l, r, nousage, foreign_s, foreign_l;   // for this end
  std::size_t total;
};

class MemoryBlock {
 public:
  // `shared`: pages that another process looks at too; else they are its own.
  MemoryBlock(std::size_t bytes, std::uint64_t seed, void* shared = nullptr);
  ~MemoryBlock();
  MemoryBlock(const MemoryBlock&) = delete;
  MemoryBlock& operator=(const MemoryBlock&) = delete;

  std::uint8_t* data() { return data_; }
  std::span<const std::uint8_t> now() const { return {data_, pristine_.size()}; }
  std::span<const std::uint8_t> pristine() const { return pristine_; }
  void Restore();

 private:
  std::uint8_t* data_;  // page-aligned, so that a fork cannot tear a region out of it
  bool shared_;
  std::vector<std::uint8_t> pristine_;
};

}  // namespace conformance
