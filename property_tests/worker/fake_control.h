// The loaded fake NIC's control functions, or nothing, if what answers behind libibverbs.so.1 is
// not the fake.
#pragma once

#include <fakenic.h>

#include <cstdint>
#include <string>

namespace conformance {

// The kinds of objects of which now other numbers are alive than before, as in "2 qps instead of
// 1";
// "" if there are none.
std::string ObjectsThatDiffer(const fakenic_counts& before, const fakenic_counts& now);

// Of two NICs.
fakenic_counts Together(fakenic_counts a, const fakenic_counts& b);

class FakeControl {
 public:
  // Looks into the libibverbs.so.1 of this process.
  FakeControl();

  bool present() const { return get_counts_ != nullptr; }
  const std::string& file() const { return file_; }  // where libibverbs.so.1 was loaded from

  // What follows needs present().
  std::uint64_t Posted() const;     // work requests, in sending and receiving
  fakenic_traffic Traffic() const;  // with other processes
  void SetManual(bool manual) const { set_schedule_(manual ? FAKENIC_MANUAL : FAKENIC_EAGER); }
  void SetSeeded(std::uint64_t seed) const {
    set_seed_(seed);
    set_schedule_(FAKENIC_SEEDED);
  }
  std::size_t EnabledSteps() const { return enabled_steps_(); }
  void TakeStep(std::size_t index) const { step_(index); }
  std::string DescribeStep(std::size_t index) const;
  void AdvanceTime(std::uint64_t nanoseconds) const { advance_time_(nanoseconds); }
  void SetSilent(const std::string& address, bool silent) const {
    set_host_(address.c_str(), silent ? FAKENIC_HOST_SILENT : 0);
  }
  void SetDevicePresent(bool present) const { set_device_present_(present ? 1 : 0); }
  // The next post fails, by whichever of its calls the library makes it.
  void FailNextPost(int error) const {
    for (const char* verb : kPostVerbs) fail_call_(verb, 1, error);
  }
  bool PostFailureFired() const {
    for (const char* verb : kPostVerbs)
      if (fault_fired_(verb) > 0) return true;
    return false;
  }
  // False: the fake knows no call of this name that can fail.
  bool FailCall(const std::string& name, unsigned nth, int error) const {
    return fail_call_(name.c_str(), nth, error) == 0;
  }
  unsigned Fired(const std::string& name) const { return fault_fired_(name.c_str()); }
  unsigned FaultLeft(const std::string& name) const { return fault_left_(name.c_str()); }
  void ClearFaults() const { clear_faults_(); }
  fakenic_counts Counts() const;

 private:
  static constexpr const char* kPostVerbs[] = {"ibv_post_send", "ibv_wr_complete", "ibv_post_recv",
                                               "ibv_post_srq_recv"};

  std::string file_;
  decltype(&fakenic_get_counts) get_counts_ = nullptr;
  decltype(&fakenic_get_traffic) get_traffic_ = nullptr;
  decltype(&fakenic_set_schedule) set_schedule_ = nullptr;
  decltype(&fakenic_set_seed) set_seed_ = nullptr;
  decltype(&fakenic_enabled_steps) enabled_steps_ = nullptr;
  decltype(&fakenic_step) step_ = nullptr;
  decltype(&fakenic_describe_step) describe_step_ = nullptr;
  decltype(&fakenic_advance_time) advance_time_ = nullptr;
  decltype(&fakenic_set_host) set_host_ = nullptr;
  decltype(&fakenic_set_device_present) set_device_present_ = nullptr;
  decltype(&fakenic_fail_call) fail_call_ = nullptr;
  decltype(&fakenic_fault_fired) fault_fired_ = nullptr;
  decltype(&fakenic_fault_left) fault_left_ = nullptr;
  decltype(&fakenic_clear_faults) clear_faults_ = nullptr;
};

}  // namespace conformance
