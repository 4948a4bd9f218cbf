// The device: its limits, and the numbers by which the wire names memory regions and queue pairs.
#pragma once

#include <cstdint>

#include "nic/mr.h"
#include "nic/qp.h"
#include "nic/slot_map.h"

namespace fakenic {

// What the device advertises, and enforces exactly.
struct DeviceLimits {
  uint32_t max_qp = 16000;
  uint32_t max_cq = 16000;
  uint32_t max_pd = 16000;
  uint32_t max_mr = 131072;
  uint32_t max_qp_wr = 16384;
  uint32_t max_srq = 16000;
  uint32_t max_srq_wr = 16384;
  uint32_t max_srq_sge = 32;
  uint32_t max_cqe = 1048576;
  uint32_t max_sge = 32;
  uint32_t max_inline_data = 512;
  uint8_t max_rd_atomic = 128;
};

class Device {
 public:
  const DeviceLimits& limits() const { return limits_; }

  // The live region that this key names; a key of the past names nothing.
  Mr* FindMr(uint32_t key) const {
    Mr* mr = mrs_.Find((key >> kVariantBits) - 1);
    return mr != nullptr && mr->key == key ? mr : nullptr;
  }

  Qp* FindQp(uint32_t num) const {
    Qp* qp = qps_.Find((num & kSlotMask) - kFirstQpNum);
    return qp != nullptr && qp->num == num ? qp : nullptr;
  }

  // These set mr.key and qp.num. False when the device has no room for another.
  bool Add(Mr& mr);
  bool Add(Qp& qp);
  void Remove(const Mr& mr) { mrs_.Remove((mr.key >> kVariantBits) - 1); }
  void Remove(const Qp& qp) { qps_.Remove((qp.num & kSlotMask) - kFirstQpNum); }

  template <typename F>
  void ForEachQp(F&& f) const {
    qps_.ForEach(f);
  }

 private:
  static constexpr uint32_t kVariantBits = 8;
  static constexpr uint32_t kSlotBits = 14;
  static constexpr uint32_t kSlotMask = (1u << kSlotBits) - 1;
  static constexpr uint32_t kFirstQpNum =
      17;  // 0 and 1 are reserved; the rest keeps small numbers from looking right
  static constexpr uint32_t kQpNumMask = 0xffffff;

  DeviceLimits limits_;
  SlotMap<Mr> mrs_{limits_.max_mr};
  SlotMap<Qp> qps_{limits_.max_qp};
};

}  // namespace fakenic
