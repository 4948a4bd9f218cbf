// Where an address leads: to the device, to a host that never answers, or nowhere.
#pragma once

#include <cerrno>
#include <functional>
#include <utility>
#include <vector>

#include "cm/address.h"

namespace fakenic {

struct Route {
  int error = 0;        // an errno: no device leads there
  bool answers = true;  // false: what is sent there is lost
};

// Differs from hardware: every local address leads to the one device, those of the loopback
// interface too.
class Hosts {
 public:
  static constexpr int kOrdinary = 0;
  static constexpr int kSilent = -1;

  // Which addresses are this machine's. The default: loopback addresses only.
  std::function<bool(const Address&)> is_local = [](const Address& a) { return a.loopback(); };
  // Where another address leads. The default: to no RDMA device.
  std::function<Route(const Address&)> beyond = [](const Address&) {
    return Route{.error = ENODEV};
  };
  // This host's own address on the way to another one; unspecified: the loopback address.
  std::function<Address(const Address&)> source = [](const Address&) { return Address(); };
  bool device_present = true;

  // Makes a host silent, ordinary again, or unreachable for the reason of an errno.
  void Set(const Address& host, int fate);

  // 0, or the errno of a bind to this address: ENODEV if it belongs to no RDMA device,
  // EADDRNOTAVAIL if it is not local.
  int CheckLocal(const Address& host) const;
  Route To(const Address& host) const;
  // The address from which something is sent to this one.
  Address SourceTo(const Address& host) const;

 private:
  int FateOf(const Address& host) const;

  std::vector<std::pair<Address, int>> fates_;
};

}  // namespace fakenic
