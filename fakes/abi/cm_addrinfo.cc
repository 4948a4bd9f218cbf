// Address translation: rdma_getaddrinfo(3).
#include <netdb.h>
#include <rdma/rdma_cma.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "abi/edge.h"

namespace {

using AddrInfo = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

// Returns 0 or an EAI code.
int Lookup(const char* node, const char* service, const rdma_addrinfo* hints, AddrInfo& result) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  if (hints != nullptr) {
    wanted.ai_family = hints->ai_family;
    if (hints->ai_flags & RAI_PASSIVE) wanted.ai_flags |= AI_PASSIVE;
    if (hints->ai_flags & RAI_NUMERICHOST) wanted.ai_flags |= AI_NUMERICHOST;
  }
  addrinfo* found = nullptr;
  const int error = getaddrinfo(node, service, &wanted, &found);
  result.reset(found);
  return error;
}

sockaddr* Copy(const sockaddr* address, socklen_t size) {
  auto* copy = static_cast<sockaddr*>(std::malloc(size));
  if (copy != nullptr) std::memcpy(copy, address, size);
  return copy;
}

}  // namespace

extern "C" {

int rdma_getaddrinfo(const char* node, const char* service, const rdma_addrinfo* hints,
                     rdma_addrinfo** res) {
  if (const int error = fakenic::edge().faults.Fire("rdma_getaddrinfo")) {
    errno = error;
    return -1;
  }
  if (node == nullptr && service == nullptr && hints == nullptr) {
    errno = EINVAL;
    return -1;
  }
  auto* info = static_cast<rdma_addrinfo*>(std::calloc(1, sizeof(rdma_addrinfo)));
  if (info == nullptr) return EAI_MEMORY;
  info->ai_flags = hints != nullptr ? hints->ai_flags : 0;
  info->ai_qp_type = hints != nullptr && hints->ai_qp_type != 0 ? hints->ai_qp_type : IBV_QPT_RC;
  info->ai_port_space =
      hints != nullptr && hints->ai_port_space != 0 ? hints->ai_port_space : RDMA_PS_TCP;
  if (node != nullptr || service != nullptr) {
    AddrInfo found(nullptr, freeaddrinfo);
    if (const int error = Lookup(node, service, hints, found)) {
      rdma_freeaddrinfo(info);
      return error;
    }
    info->ai_family = found->ai_family;
    const bool passive = (info->ai_flags & RAI_PASSIVE) != 0;
    (passive ? info->ai_src_addr : info->ai_dst_addr) = Copy(found->ai_addr, found->ai_addrlen);
    (passive ? info->ai_src_len : info->ai_dst_len) = found->ai_addrlen;
  }
  if (info->ai_src_len == 0 && hints != nullptr && hints->ai_src_len != 0) {
    info->ai_src_addr = Copy(hints->ai_src_addr, hints->ai_src_len);
    info->ai_src_len = hints->ai_src_len;
  }
  *res = info;
  return 0;
}

void rdma_freeaddrinfo(rdma_addrinfo* res) {
  while (res != nullptr) {
    rdma_addrinfo* next = res->ai_next;
    std::free(res->ai_src_addr);
    std::free(res->ai_dst_addr);
    std::free(res);
    res = next;
  }
}

}  // extern "C"
