// From a host name to an address that works.
#pragma once

#include <rdma/rdma_cma.h>

#include <functional>

namespace rpma {

// Calls attempt with the addresses of node and service (NULL for none), until it returns 0; it
// returns an RPMA_E_ code otherwise. The addresses of the family that the resolver prefers come
// first, then those of the other one. Throws the code of the first attempt, or RPMA_E_PROVIDER if
// there is no address; errno is that of the first family.
// flags: RAI_PASSIVE for a local address, 0 for a remote one.
void TryAddresses(const char* node, const char* service, int flags,
                  const std::function<int(const rdma_addrinfo&)>& attempt);

}  // namespace rpma
