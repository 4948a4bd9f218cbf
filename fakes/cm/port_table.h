// Which ports are taken, and by whom.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cm/cm_id.h"
#include "cm/cm_network.h"

namespace fakenic {

class PortTable {
 public:
  // Where other processes of this host take ports too; null: there are none.
  void set_network(CmNetwork* network) { network_ = network; }

  // Processes that start at different places seldom try each other's ports.
  void StartFreePortsAfter(uint32_t number);

  // Binds id to its src address; a port of 0 is replaced by a free one. 0; EADDRINUSE when the same
  // address has the port; EADDRNOTAVAIL when it is taken and either binding is a wildcard, or no
  // port is free. Bindings of different families exclude each other unless both are to one family.
  int Bind(CmId& id);
  // 0 if a bound id may listen; else the error that binding without address reuse would give.
  int Listen(const CmId& id);
  void Release(const CmId& id);

  // Who listens there: on the address itself, else on a wildcard that takes its family. Null if
  // nobody; *elsewhere then says whether the port has a listener on another address.
  CmId* FindListener(int port_space, const Address& address, bool* elsewhere) const;

 private:
  using Key = std::pair<int, uint16_t>;  // port space, port

  int FindConflict(const CmId& id, uint16_t port, bool reuse) const;
  int BindFree(CmId& id);

  CmNetwork* network_ = nullptr;
  std::map<Key, std::vector<CmId*>> bound_;
  uint16_t next_ephemeral_ = 32768;
};

}  // namespace fakenic
