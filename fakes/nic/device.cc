#include "nic/device.h"

namespace fakenic {

bool Device::Add(Mr& mr) {
  if (mrs_.full()) return false;
  const uint32_t slot = mrs_.Insert(&mr);
  const uint32_t variant = mrs_.generation(slot) & ((1u << kVariantBits) - 1);
  mr.key = (slot + 1) << kVariantBits | variant;
  return true;
}

bool Device::Add(Qp& qp) {
  if (qps_.full()) return false;
  const uint32_t slot = qps_.Insert(&qp);
  qp.num = (qps_.generation(slot) << kSlotBits | (slot + kFirstQpNum)) & kQpNumMask;
  return true;
}

}  // namespace fakenic
