#include "property_tests/worker/fake_control.h"

#include <dlfcn.h>

#include <type_traits>

namespace conformance {

FakeControl::FakeControl() {
  void* verbs = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_LOCAL);
  if (verbs == nullptr) {
    file_ = dlerror();
    return;
  }
  void* any = dlsym(verbs, "ibv_get_device_list");
  if (Dl_info info; any != nullptr && dladdr(any, &info) != 0) file_ = info.dli_fname;
  const auto find = [verbs](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(verbs, name));
    return function != nullptr;
  };
  const bool all =
      find(set_schedule_, "fakenic_set_schedule") && find(set_seed_, "fakenic_set_seed") &&
      find(enabled_steps_, "fakenic_enabled_steps") && find(step_, "fakenic_step") &&
      find(describe_step_, "fakenic_describe_step") &&
      find(advance_time_, "fakenic_advance_time") && find(fail_call_, "fakenic_fail_call") &&
      find(set_host_, "fakenic_set_host") &&
      find(set_device_present_, "fakenic_set_device_present") &&
      find(fault_fired_, "fakenic_fault_fired") && find(clear_faults_, "fakenic_clear_faults");
  if (all) find(get_counts_, "fakenic_get_counts");
}

std::uint64_t FakeControl::Posted() const {
  fakenic_counts counts{};
  get_counts_(&counts);
  return counts.sends_posted + counts.recvs_posted;
}

std::uint64_t FakeControl::Alive() const {
  fakenic_counts counts{};
  get_counts_(&counts);
  return counts.pds + counts.mrs + counts.cqs + counts.comp_channels + counts.qps + counts.srqs +
         counts.cm_ids + counts.event_channels;
}

std::string FakeControl::DescribeAlive() const {
  fakenic_counts counts{};
  get_counts_(&counts);
  return std::to_string(counts.pds) + " pds, " + std::to_string(counts.mrs) + " mrs, " +
         std::to_string(counts.cqs) + " cqs, " + std::to_string(counts.comp_channels) +
         " comp_channels, " + std::to_string(counts.qps) + " qps, " + std::to_string(counts.srqs) +
         " srqs, " + std::to_string(counts.cm_ids) + " cm_ids, " +
         std::to_string(counts.event_channels) + " event_channels";
}

std::string FakeControl::DescribeStep(std::size_t index) const {
  char text[200] = "";
  describe_step_(index, text, sizeof text);
  return text;
}

}  // namespace conformance
