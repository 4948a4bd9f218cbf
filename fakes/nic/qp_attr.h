// The attributes of a queue pair and the state machine that they drive.
#pragma once

#include <cstdint>

namespace fakenic {

enum class QpState : uint8_t { kReset, kInit, kRtr, kRts, kSqd, kSqe, kErr };

namespace qp_mask {
inline constexpr uint32_t kState = 1u << 0;
inline constexpr uint32_t kCurState = 1u << 1;
inline constexpr uint32_t kEnSqdAsyncNotify = 1u << 2;
inline constexpr uint32_t kAccessFlags = 1u << 3;
inline constexpr uint32_t kPkeyIndex = 1u << 4;
inline constexpr uint32_t kPort = 1u << 5;
inline constexpr uint32_t kAv = 1u << 7;
inline constexpr uint32_t kPathMtu = 1u << 8;
inline constexpr uint32_t kTimeout = 1u << 9;
inline constexpr uint32_t kRetryCnt = 1u << 10;
inline constexpr uint32_t kRnrRetry = 1u << 11;
inline constexpr uint32_t kRqPsn = 1u << 12;
inline constexpr uint32_t kMaxQpRdAtomic = 1u << 13;
inline constexpr uint32_t kAltPath = 1u << 14;
inline constexpr uint32_t kMinRnrTimer = 1u << 15;
inline constexpr uint32_t kSqPsn = 1u << 16;
inline constexpr uint32_t kMaxDestRdAtomic = 1u << 17;
inline constexpr uint32_t kPathMigState = 1u << 18;
inline constexpr uint32_t kDestQpn = 1u << 20;
}  // namespace qp_mask

struct QpAttr {
  QpState state = QpState::kReset;
  QpState cur_state = QpState::kReset;
  uint32_t access_flags = 0;
  uint16_t pkey_index = 0;
  uint8_t port_num = 0;
  uint8_t path_mtu = 0;
  uint32_t dest_qp_num = 0;
  uint32_t rq_psn = 0;
  uint32_t sq_psn = 0;
  uint8_t max_rd_atomic = 0;
  uint8_t max_dest_rd_atomic = 0;
  uint8_t min_rnr_timer = 0;
  uint8_t timeout = 0;
  uint8_t retry_cnt = 0;
  uint8_t rnr_retry = 0;
  uint8_t ah_port_num = 1;  // of the path
  bool en_sqd_async_notify = false;
};

inline constexpr uint8_t kActiveMtu = 5;  // the enumerator; the port's active MTU

// 0 if the RC state machine allows this transition with exactly these attributes given, else
// EINVAL. mask is without kState.
int CheckTransition(QpState from, QpState to, uint32_t mask);

// 0 if the values of the attributes that mask names are possible for a queue pair that now has
// these attributes, else EINVAL.
int CheckValues(const QpAttr& now, const QpAttr& attr, uint32_t mask, uint8_t max_rd_atomic);

// Copies the attributes that mask names, the state excepted.
void ApplyAttributes(const QpAttr& from, uint32_t mask, QpAttr& to);

}  // namespace fakenic
