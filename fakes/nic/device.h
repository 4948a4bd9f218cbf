// The device: its limits, and the numbers by which the wire names memory regions and queue pairs.
#pragma once

#include <cstdint>

#include "nic/mr.h"
#include "nic/profile.h"
#include "nic/qp.h"
#include "nic/qp_numbers.h"
#include "nic/slot_map.h"

namespace fakenic {

class Device {
 public:
  const Profile& profile() const { return *profile_; }
  const DeviceLimits& limits() const { return profile_->limits; }
  // Requires that the numbers of objects that it allows are those of the profile before.
  void set_profile(const Profile& profile) { profile_ = &profile; }

  bool offers_flush() const { return profile_->offers_flush && !without_flush_; }
  void TakeFlushAway() { without_flush_ = true; }
  // The rights that a region can have here and not on every device.
  uint32_t extra_rights() const {
    return (profile_->pages_on_demand ? access_flag::kOnDemand : 0) |
           (offers_flush() ? access_flag::kFlush : 0);
  }

  // The live region that this key names; a key of the past names nothing.
  [[gnu::always_inline]] Mr* FindMr(uint32_t key) const {
    Mr* mr = mrs_.Find((key >> kVariantBits) - 1);
    return mr != nullptr && mr->key == key ? mr : nullptr;
  }

  Qp* FindQp(uint32_t num) const { return qps_.Find(num); }
  // Whether the numbers around this one are given out here, to queue pairs that live or to none.
  bool OwnsQpNumber(uint32_t num) const { return qps_.Owns(num); }
  QpNumbers& qp_numbers() { return qps_; }

  // These set mr.key and qp.num. False when the device has no room for another.
  bool Add(Mr& mr);
  bool Add(Qp& qp);
  void Remove(const Mr& mr) { mrs_.Remove((mr.key >> kVariantBits) - 1); }
  void Remove(const Qp& qp) { qps_.Remove(qp.num); }

  template <typename F>
  void ForEachMr(F&& f) const {
    mrs_.ForEach(f);
  }

  template <typename F>
  void ForEachQp(F&& f) const {
    qps_.ForEach(f);
  }

 private:
  static constexpr uint32_t kVariantBits = 8;

  const Profile* profile_ = &kSpecProfile;
  bool without_flush_ = false;
  SlotMap<Mr> mrs_{kSpecProfile.limits.max_mr};
  QpNumbers qps_;
};

}  // namespace fakenic
