#include "nic/recv_queue.h"

#include <algorithm>

namespace fakenic {

void RecvQueue::Post(const RecvWr& wr) {
  if (entries_.empty()) {
    entries_.resize(max_wr_);
    sges_.resize(size_t{max_wr_} * max_sge_);
  }
  entries_[tail_] = {wr.wr_id, static_cast<uint32_t>(wr.sges.size())};
  std::copy(wr.sges.begin(), wr.sges.end(),
            sges_.begin() + static_cast<ptrdiff_t>(size_t{tail_} * max_sge_));
  tail_ = Next(tail_);
  ++waiting_;
  ++used_;
}

}  // namespace fakenic
