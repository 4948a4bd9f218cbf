#include "property_tests/worker/fake_control.h"

#include <dlfcn.h>

#include <type_traits>

namespace conformance {

namespace {

struct ObjectKind {
  const char* name;
  std::uint64_t fakenic_counts::*count;
};
constexpr ObjectKind kObjectKinds[] = {{"pds", &fakenic_counts::pds},
                                       {"mrs", &fakenic_counts::mrs},
                                       {"cqs", &fakenic_counts::cqs},
                                       {"comp_channels", &fakenic_counts::comp_channels},
                                       {"qps", &fakenic_counts::qps},
                                       {"srqs", &fakenic_counts::srqs},
                                       {"cm_ids", &fakenic_counts::cm_ids},
                                       {"event_channels", &fakenic_counts::event_channels},
                                       {"address_infos", &fakenic_counts::address_infos}};

}  // namespace

std::string ObjectsThatDiffer(const fakenic_counts& before, const fakenic_counts& now) {
  std::string text;
  for (const auto& [name, count] : kObjectKinds) {
    if (before.*count == now.*count) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(now.*count) + " " + name + " instead of " +
            std::to_string(before.*count);
  }
  return text;
}

fakenic_counts Together(fakenic_counts a, const fakenic_counts& b) {
  for (const auto& [name, count] : kObjectKinds) a.*count += b.*count;
  a.sends_posted += b.sends_posted;
  a.recvs_posted += b.recvs_posted;
  a.completions += b.completions;
  return a;
}

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
      find(get_traffic_, "fakenic_get_traffic") && find(describe_step_, "fakenic_describe_step") &&
      find(advance_time_, "fakenic_advance_time") && find(fail_call_, "fakenic_fail_call") &&
      find(set_host_, "fakenic_set_host") &&
      find(set_device_present_, "fakenic_set_device_present") &&
      find(fault_fired_, "fakenic_fault_fired") && find(fault_left_, "fakenic_fault_left") &&
      find(clear_faults_, "fakenic_clear_faults");
  if (all) find(get_counts_, "fakenic_get_counts");
}

std::uint64_t FakeControl::Posted() const {
  const fakenic_counts counts = Counts();
  return counts.sends_posted + counts.recvs_posted;
}

fakenic_traffic FakeControl::Traffic() const {
  fakenic_traffic traffic{};
  get_traffic_(&traffic);
  return traffic;
}

fakenic_counts FakeControl::Counts() const {
  fakenic_counts counts{};
  get_counts_(&counts);
  return counts;
}

std::string FakeControl::DescribeStep(std::size_t index) const {
  char text[200] = "";
  describe_step_(index, text, sizeof text);
  return text;
}

}  // namespace conformance
