#include "address.h"

#include "cm_objects.h"

namespace rpma {
namespace {

AddrInfo Resolve(const char* node, const char* service, int flags, int family) {
  rdma_addrinfo hints{};
  hints.ai_flags = family == AF_UNSPEC ? flags : flags | RAI_FAMILY;
  hints.ai_family = family;
  hints.ai_qp_type = IBV_QPT_RC;
  hints.ai_port_space = RDMA_PS_TCP;
  rdma_addrinfo* info = nullptr;
  if (rdma_getaddrinfo(node, service, &hints, &info) != 0) return AddrInfo();
  return AddrInfo(info);
}

int FamilyOf(const rdma_addrinfo& info) {
  const sockaddr* address = info.ai_src_addr != nullptr ? info.ai_src_addr : info.ai_dst_addr;
  return address != nullptr ? address->sa_family : AF_UNSPEC;
}

}  // namespace

void TryAddresses(const char* node, const char* service, int flags,
                  const std::function<int(const rdma_addrinfo&)>& attempt) {
  const AddrInfo preferred = Resolve(node, service, flags, AF_UNSPEC);
  if (!preferred) throw Error{ProviderFailure("rdma_getaddrinfo", errno)};
  int code = RPMA_E_PROVIDER;
  for (const rdma_addrinfo* info = preferred.get(); info != nullptr; info = info->ai_next) {
    if ((code = attempt(*info)) == 0) return;
  }

  // librdmacm returns only the first address, so ask for the other family by name.
  const ErrnoKeeper keeper;
  const int other_family = FamilyOf(*preferred.get()) == AF_INET6 ? AF_INET : AF_INET6;
  const AddrInfo other = Resolve(node, service, flags, other_family);
  for (const rdma_addrinfo* info = other.get(); info != nullptr; info = info->ai_next) {
    if (FamilyOf(*info) == other_family && attempt(*info) == 0) return;
  }
  throw Error{code};
}

}  // namespace rpma
