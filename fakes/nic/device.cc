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
  if (qps_.size() == limits().max_qp) return false;
  const auto num = qps_.Add(qp);
  if (num) qp.num = *num;
  return num.has_value();
}

}  // namespace fakenic
