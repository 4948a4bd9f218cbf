#include "nic/qp_attr.h"

#include <cerrno>

namespace fakenic {
namespace {

using namespace qp_mask;

struct Transition {
  QpState from, to;
  uint32_t required, optional;
};

constexpr uint32_t kRtsOptional =
    kCurState | kAccessFlags | kAltPath | kMinRnrTimer | kPathMigState;

constexpr Transition kTransitions[] = {
    {QpState::kReset, QpState::kInit, kPkeyIndex | kPort | kAccessFlags, 0},
    {QpState::kInit, QpState::kInit, 0, kPkeyIndex | kPort | kAccessFlags},
    {QpState::kInit, QpState::kRtr,
     kAv | kPathMtu | kDestQpn | kRqPsn | kMaxDestRdAtomic | kMinRnrTimer,
     kAltPath | kAccessFlags | kPkeyIndex},
    {QpState::kRtr, QpState::kRts, kTimeout | kRetryCnt | kRnrRetry | kSqPsn | kMaxQpRdAtomic,
     kRtsOptional},
    {QpState::kRts, QpState::kRts, 0, kRtsOptional},
    {QpState::kRts, QpState::kSqd, 0, kEnSqdAsyncNotify},
    {QpState::kSqd, QpState::kRts, 0, kRtsOptional},
    {QpState::kSqd, QpState::kSqd, 0,
     kPort | kAv | kTimeout | kRetryCnt | kRnrRetry | kMaxQpRdAtomic | kMaxDestRdAtomic |
         kPkeyIndex | kRtsOptional},
};

}  // namespace

int CheckTransition(QpState from, QpState to, uint32_t mask) {
  if (to == QpState::kReset) return mask == 0 ? 0 : EINVAL;
  if (to == QpState::kErr) return from != QpState::kReset && mask == 0 ? 0 : EINVAL;
  for (const Transition& t : kTransitions) {
    if (t.from != from || t.to != to) continue;
    const bool complete = (mask & t.required) == t.required;
    const bool no_other = (mask & ~(t.required | t.optional)) == 0;
    return complete && no_other ? 0 : EINVAL;
  }
  return EINVAL;
}

int CheckValues(const QpAttr& now, const QpAttr& attr, uint32_t mask, uint8_t max_rd_atomic) {
  const struct {
    uint32_t bit;
    bool possible;
  } checks[] = {
      {kCurState, attr.cur_state == now.state},
      {kPkeyIndex, attr.pkey_index == 0},
      {kPort, attr.port_num == 1},
      {kAv, attr.ah_port_num == now.port_num},
      {kPathMtu, attr.path_mtu >= 1 && attr.path_mtu <= kActiveMtu},
      {kTimeout, attr.timeout <= 31},
      {kRetryCnt, attr.retry_cnt <= 7},
      {kRnrRetry, attr.rnr_retry <= 7},
      {kMinRnrTimer, attr.min_rnr_timer <= 31},
      {kMaxQpRdAtomic, attr.max_rd_atomic <= max_rd_atomic},
      {kMaxDestRdAtomic, attr.max_dest_rd_atomic <= max_rd_atomic},
  };
  for (const auto& check : checks) {
    if ((mask & check.bit) != 0 && !check.possible) return EINVAL;
  }
  return 0;
}

void ApplyAttributes(const QpAttr& from, uint32_t mask, QpAttr& to) {
  if (mask & kAccessFlags) to.access_flags = from.access_flags;
  if (mask & kPkeyIndex) to.pkey_index = from.pkey_index;
  if (mask & kPort) to.port_num = from.port_num;
  if (mask & kPathMtu) to.path_mtu = from.path_mtu;
  if (mask & kDestQpn) to.dest_qp_num = from.dest_qp_num;
  if (mask & kRqPsn) to.rq_psn = from.rq_psn;
  if (mask & kSqPsn) to.sq_psn = from.sq_psn;
  if (mask & kMaxQpRdAtomic) to.max_rd_atomic = from.max_rd_atomic;
  if (mask & kMaxDestRdAtomic) to.max_dest_rd_atomic = from.max_dest_rd_atomic;
  if (mask & kMinRnrTimer) to.min_rnr_timer = from.min_rnr_timer;
  if (mask & kTimeout) to.timeout = from.timeout;
  if (mask & kRetryCnt) to.retry_cnt = from.retry_cnt;
  if (mask & kRnrRetry) to.rnr_retry = from.rnr_retry;
}

}  // namespace fakenic
