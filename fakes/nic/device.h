// The device: its limits, and the numbers by which the wire names memory regions and queue pairs.
#pragma once

#include <cstdint>

#include "nic/mr.h"
#include "nic/profile.h"
#include "nic/qp.h"
#include "nic/slot_map.h"

namespace fakenic {

class Device {
 public:
  const Profile& profile() const { return *profile_; }
  const DeviceLimits& limits() const { return profile_->limits; }
  // Requires that the numbers of objects that it allows are those of the profile before.
  void set_profile(const Profile& profile) { profile_ = &profile; }

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

  const Profile* profile_ = &kSpecProfile;
  SlotMap<Mr> mrs_{kSpecProfile.limits.max_mr};
  SlotMap<Qp> qps_{kSpecProfile.limits.max_qp};
};

}  // namespace fakenic
