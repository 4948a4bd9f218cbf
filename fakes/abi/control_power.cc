// The control interface of persistence: fakenic.h.
#include <cerrno>
#include <mutex>

#include "abi/edge.h"
#include "fakenic.h"

using fakenic::edge;
using fakenic::Locked;

namespace {

uint64_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

}  // namespace

extern "C" {

int fakenic_set_platform(const char* name) {
  const auto platform = name == nullptr ? std::nullopt : fakenic::FindPlatform(name);
  if (name != nullptr && !platform) return EINVAL;
  const Locked locked;
  edge().fabric.set_platform(platform);
  return 0;
}

const char* fakenic_platform(void) {
  const std::lock_guard lock(edge().mutex);
  const fakenic::Persistence* persistence = edge().fabric.persistence();
  return persistence == nullptr ? nullptr : NameOf(persistence->platform());
}

int fakenic_fail_power(void) {
  const Locked locked;
  if (edge().fabric.persistence() == nullptr) return EINVAL;
  edge().fabric.FailPower();
  return 0;
}

int fakenic_is_persistent(const void* addr, size_t length) {
  const std::lock_guard lock(edge().mutex);  // who only looks moves nothing, under SEEDED either
  const fakenic::Persistence* persistence = edge().fabric.persistence();
  return persistence == nullptr ? -1 : persistence->Survives(AddressOf(addr), length);
}

void fakenic_persist(const void* addr, size_t length) {
  const Locked locked;
  fakenic::Persistence* persistence = edge().fabric.persistence();
  if (persistence != nullptr) persistence->WriteBack(AddressOf(addr), length);
}

}  // extern "C"
