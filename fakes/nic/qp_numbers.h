// Queue pairs under numbers of 24 bits that are claimed in blocks, so that those of many processes
// differ.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace fakenic {

class Qp;

// Borrows the queue pairs. Numbers are given out in ascending order, so that a number does not come
// back soon.
class QpNumbers {
 public:
  static constexpr uint32_t kBlockBits = 12;
  static constexpr uint32_t kBlockSize = 1u << kBlockBits;
  static constexpr uint32_t kBlocks = 1u << (24 - kBlockBits);
  static constexpr uint32_t kFirst =
      17;  // 0 and 1 are reserved; small numbers look right too often

  // Claims a block that nobody else has; none when all are taken. The default: one after the other.
  std::function<std::optional<uint32_t>()> claim_block = [next = 0u]() mutable {
    return next < kBlocks ? std::optional(next++) : std::nullopt;
  };

  Qp* Find(uint32_t num) const {
    const uint32_t block = num >> kBlockBits;
    if (block >= kBlocks || blocks_[block] == nullptr) return nullptr;
    return (*blocks_[block])[num % kBlockSize];
  }

  // Whether numbers of this block are given out here.
  bool Owns(uint32_t num) const {
    const uint32_t block = num >> kBlockBits;
    return block < kBlocks && blocks_[block] != nullptr;
  }

  // The new number; none when no block is left.
  std::optional<uint32_t> Add(Qp& qp);
  void Remove(uint32_t num);
  size_t size() const { return live_; }

  template <typename F>
  void ForEach(F&& f) const {
    for (const uint32_t block : claimed_) {
      for (Qp* qp : *blocks_[block]) {
        if (qp != nullptr) f(*qp);
      }
    }
  }

 private:
  using Block = std::array<Qp*, kBlockSize>;

  bool Claim();

  std::array<std::unique_ptr<Block>, kBlocks> blocks_;
  std::vector<uint32_t> claimed_;
  size_t cursor_ = 0;  // in the numbers of the claimed blocks, one block after the other
  size_t live_ = 0;
};

}  // namespace fakenic
