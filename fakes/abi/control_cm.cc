// The control interface of time, hosts and the device's presence: fakenic.h.
#include <cerrno>

#include "abi/edge.h"
#include "abi/objects.h"
#include "fakenic.h"

using fakenic::Address;
using fakenic::edge;
using fakenic::Locked;

extern "C" {

int fakenic_set_clock_rate(unsigned rate) {
  if (rate < 1 || rate > fakenic::kMaxClockRate) return EINVAL;
  const Locked locked;
  edge().SetClockRate(rate);
  return 0;
}

int fakenic_set_host(const char* address, int fate) {
  if (address == nullptr || fate < FAKENIC_HOST_SILENT) return EINVAL;
  const Address host = Address::Parse(address);
  if (!host.specified()) return EINVAL;
  const Locked locked;
  edge().cm.hosts.Set(host, fate);
  return 0;
}

void fakenic_set_device_present(int present) {
  const Locked locked;
  if (present != 0) {
    edge().cm.ReturnDevice();
  } else {
    fakenic::RemoveDevice();
  }
}

}  // extern "C"
