// The control interface of the profile and the device's name: fakenic.h.
#include <cerrno>
#include <string_view>

#include "abi/edge.h"
#include "abi/objects.h"
#include "fakenic.h"

using fakenic::edge;
using fakenic::Locked;

namespace {

void Rename(std::string_view name) {
  edge().device_name = name;
  fakenic::RenameDevice();
}

}  // namespace

extern "C" {

int fakenic_set_profile(const char* name) {
  const fakenic::Profile* profile = name == nullptr ? nullptr : fakenic::FindProfile(name);
  if (profile == nullptr) return EINVAL;
  const Locked locked;
  const fakenic::Counts& live = edge().fabric.counts();
  if (live.qps > 0 || live.cqs > 0) return EBUSY;
  const bool own_name = edge().device_name == edge().fabric.device().profile().device_name;
  edge().fabric.device().set_profile(*profile);
  if (own_name) Rename(profile->device_name);
  return 0;
}

const char* fakenic_profile(void) {
  const Locked locked;
  return edge().fabric.device().profile().name.data();
}

int fakenic_set_device_name(const char* name) {
  constexpr size_t kLongest = 63;
  const std::string_view given = name == nullptr ? "" : name;
  const bool usable =
      !given.empty() && given.size() <= kLongest && given.find('/') == std::string_view::npos;
  if (!usable) return EINVAL;
  const Locked locked;
  Rename(given);
  return 0;
}

}  // extern "C"
