// The receives of a queue pair or of a shared receive queue, consumed in posting order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nic/types.h"

namespace fakenic {

// A slot is free again when the completion of its receive has been polled, not when a message
// consumed it.
class RecvQueue {
 public:
  RecvQueue(uint32_t max_wr, uint32_t max_sge) : max_wr_(max_wr), max_sge_(max_sge) {}

  uint32_t max_wr() const { return max_wr_; }
  uint32_t max_sge() const { return max_sge_; }
  bool full() const { return used_ == max_wr_; }
  bool empty() const { return waiting_ == 0; }
  uint32_t waiting() const { return waiting_; }  // posted and not consumed

  // Requires !full() and at most max_sge sges.
  void Post(const RecvWr& wr);

  // Consumes the oldest receive. Requires !empty(). Its sges are good until the next Post().
  RecvWr Take() {
    const Entry& entry = entries_[head_];
    const RecvWr taken{entry.wr_id, {sges_.data() + size_t{head_} * max_sge_, entry.num_sge}};
    head_ = Next(head_);
    --waiting_;
    return taken;
  }

  void FreeSlot() { used_ -= used_ > 0; }
  void Clear() { head_ = tail_ = waiting_ = used_ = 0; }

 private:
  struct Entry {
    uint64_t wr_id;
    uint32_t num_sge;
  };

  uint32_t Next(uint32_t index) const { return index + 1 == max_wr_ ? 0 : index + 1; }

  uint32_t max_wr_;
  uint32_t max_sge_;
  uint32_t head_ = 0;
  uint32_t tail_ = 0;
  uint32_t waiting_ = 0;
  uint32_t used_ = 0;           // waiting, or consumed and not yet polled
  std::vector<Entry> entries_;  // these two get their memory with the first receive
  std::vector<Sge> sges_;
};

}  // namespace fakenic
