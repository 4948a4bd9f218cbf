// The flush of rdma-core 45 and later: what the installed headers may lack of it. Where they have
// it, their own declarations are used.
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>

namespace fakenic {

inline constexpr uint64_t kFlushSendOp = uint64_t{1} << 11;     // in send_ops_flags
inline constexpr uint64_t kFlushGlobalCap = uint64_t{1} << 38;  // in device_cap_flags_ex
inline constexpr uint64_t kFlushPersistentCap = uint64_t{1} << 39;

using WrFlush = void(ibv_qp_ex* qp, uint32_t rkey, uint64_t remote_addr, size_t len, uint8_t type,
                     uint8_t level);

template <typename QpEx>
concept HasWrFlush = requires(QpEx& ex) {
  ex.wr_flush;
};

// An ibv_qp_ex with what programs that were built with the newer headers find behind its last
// member.
template <typename QpEx>
struct WithWrFlush {
  QpEx ex{};
  WrFlush* flush = nullptr;

  WrFlush*& wr_flush() { return flush; }
};

template <HasWrFlush QpEx>
struct WithWrFlush<QpEx> {
  QpEx ex{};

  WrFlush*& wr_flush() { return ex.wr_flush; }
};

}  // namespace fakenic
