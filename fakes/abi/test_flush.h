// For tests: a flush as programs have it that were built with the headers of rdma-core 45.
#pragma once

#include <infiniband/verbs.h>

#include "abi/verbs_flush.h"
#include "nic/types.h"

namespace fakenic {

// What their inline function ibv_wr_flush does.
inline void WrFlushOf(ibv_qp_ex* qp, uint32_t rkey, uint64_t remote_addr, size_t length,
                      uint8_t type, uint8_t level) {
  auto* with_flush = reinterpret_cast<WithWrFlush<ibv_qp_ex>*>(qp);
  with_flush->wr_flush()(qp, rkey, remote_addr, length, type, level);
}

// With all rights.
inline ibv_mr* RegisterForFlush(ibv_pd* pd, void* memory, size_t size) {
  return ibv_reg_mr(pd, memory, size,
                    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                        IBV_ACCESS_REMOTE_ATOMIC | static_cast<int>(access_flag::kFlush));
}

}  // namespace fakenic
