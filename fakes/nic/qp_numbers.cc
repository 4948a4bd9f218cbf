#include "nic/qp_numbers.h"

namespace fakenic {

bool QpNumbers::Claim() {
  const auto block = claim_block();
  if (!block) return false;
  blocks_[*block] = std::make_unique<Block>();
  claimed_.push_back(*block);
  return true;
}

// A further block is claimed while half of the numbers are still free: they shall not return soon.
std::optional<uint32_t> QpNumbers::Add(Qp& qp) {
  if (2 * live_ >= claimed_.size() * kBlockSize && !Claim()) return std::nullopt;
  for (;; ++cursor_) {
    const uint32_t block = claimed_[cursor_ / kBlockSize % claimed_.size()];
    const uint32_t num = block << kBlockBits | cursor_ % kBlockSize;
    if (num < kFirst || (*blocks_[block])[num % kBlockSize] != nullptr) continue;
    (*blocks_[block])[num % kBlockSize] = &qp;
    ++cursor_;
    ++live_;
    return num;
  }
}

void QpNumbers::Remove(uint32_t num) {
  (*blocks_[num >> kBlockBits])[num % kBlockSize] = nullptr;
  --live_;
}

}  // namespace fakenic
