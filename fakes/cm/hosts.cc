#include "cm/hosts.h"

#include <algorithm>
#include <cerrno>

namespace fakenic {

void Hosts::Set(const Address& host, int fate) {
  std::erase_if(fates_, [&](const auto& known) { return known.first.SameHost(host); });
  if (fate != kOrdinary) fates_.emplace_back(host, fate);
}

int Hosts::FateOf(const Address& host) const {
  for (const auto& [known, fate] : fates_) {
    if (known.SameHost(host)) return fate;
  }
  return kOrdinary;
}

int Hosts::CheckLocal(const Address& host) const {
  const int fate = FateOf(host);
  if (fate == ENODEV) return ENODEV;
  if (fate != kOrdinary || !is_local(host)) return EADDRNOTAVAIL;
  return device_present ? 0 : ENODEV;
}

Route Hosts::To(const Address& host) const {
  const int fate = FateOf(host);
  if (fate == kSilent) return {.error = device_present ? 0 : ENODEV, .answers = false};
  if (fate != kOrdinary) return {.error = fate, .answers = false};
  if (!device_present) return {.error = ENODEV};
  return is_local(host) ? Route{} : beyond(host);
}

Address Hosts::SourceTo(const Address& host) const {
  if (FateOf(host) == kOrdinary && is_local(host)) return host;
  const Address own = source(host);
  return own.specified() ? own : Address::Loopback(host.family());
}

}  // namespace fakenic
