// Address translation: rdma_getaddrinfo(3).
#include <infiniband/ib.h>
#include <netdb.h>
#include <rdma/rdma_cma.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "abi/cm_objects.h"
#include "abi/edge.h"

namespace fakenic {
namespace {

using AddrInfo = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

void Free(rdma_addrinfo* info) {
  std::free(info->ai_src_addr);
  std::free(info->ai_dst_addr);
  std::free(info->ai_src_canonname);
  std::free(info->ai_dst_canonname);
  std::free(info->ai_route);
  std::free(info->ai_connect);
  std::free(info);
}
using RdmaAddrInfo = std::unique_ptr<rdma_addrinfo, decltype(&Free)>;

int Protocol(int port_space, int socktype) {
  switch (port_space) {
    case RDMA_PS_TCP:
      return IPPROTO_TCP;
    case RDMA_PS_UDP:
    case RDMA_PS_IPOIB:
      return IPPROTO_UDP;
    case RDMA_PS_IB:
      if (socktype == 0) return 0;
      return socktype == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    default:
      return 0;
  }
}

int SocketType(int qp_type) {
  if (qp_type == 0) return 0;
  return qp_type == IBV_QPT_UD ? SOCK_DGRAM : SOCK_STREAM;
}

addrinfo Wanted(const rdma_addrinfo& hints) {
  addrinfo wanted{};
  if (hints.ai_flags & RAI_PASSIVE) wanted.ai_flags |= AI_PASSIVE;
  if (hints.ai_flags & RAI_NUMERICHOST) wanted.ai_flags |= AI_NUMERICHOST;
  wanted.ai_family = hints.ai_family;
  wanted.ai_socktype = SocketType(hints.ai_qp_type);
  wanted.ai_protocol = Protocol(hints.ai_port_space, wanted.ai_socktype);
  return wanted;
}

// 0 or EAI_MEMORY.
int Copy(const sockaddr* address, socklen_t size, sockaddr*& copy, socklen_t& copy_size) {
  copy = static_cast<sockaddr*>(std::malloc(size));
  if (copy == nullptr) return EAI_MEMORY;
  std::memcpy(copy, address, size);
  copy_size = size;
  return 0;
}

// Only the first address of a name is used. Returns 0 or an EAI code.
int LookUp(const char* node, const char* service, const rdma_addrinfo* hints, rdma_addrinfo& info) {
  addrinfo* first = nullptr;
  const addrinfo wanted = hints != nullptr ? Wanted(*hints) : addrinfo{};
  const int error = getaddrinfo(node, service, hints != nullptr ? &wanted : nullptr, &first);
  if (error != 0) return error;
  const AddrInfo found(first, freeaddrinfo);
  const bool datagrams = found->ai_socktype == SOCK_DGRAM;
  info.ai_family = found->ai_family;
  info.ai_qp_type = datagrams ? IBV_QPT_UD : IBV_QPT_RC;
  info.ai_port_space = found->ai_protocol == IPPROTO_UDP ? RDMA_PS_UDP : RDMA_PS_TCP;
  if (hints != nullptr && hints->ai_qp_type != 0) info.ai_qp_type = hints->ai_qp_type;
  if (hints != nullptr && hints->ai_port_space != 0) info.ai_port_space = hints->ai_port_space;
  if (hints != nullptr && (hints->ai_flags & RAI_PASSIVE) != 0) {
    info.ai_flags = RAI_PASSIVE;
    return Copy(found->ai_addr, found->ai_addrlen, info.ai_src_addr, info.ai_src_len);
  }
  return Copy(found->ai_addr, found->ai_addrlen, info.ai_dst_addr, info.ai_dst_len);
}

// Without a name the hints themselves are the answer.
int Echo(const rdma_addrinfo& hints, rdma_addrinfo& info) {
  info.ai_flags = hints.ai_flags;
  info.ai_family = hints.ai_family;
  info.ai_qp_type = hints.ai_qp_type;
  info.ai_port_space = hints.ai_port_space;
  if (hints.ai_dst_len == 0) return 0;
  return Copy(hints.ai_dst_addr, hints.ai_dst_len, info.ai_dst_addr, info.ai_dst_len);
}

int Translate(const char* node, const char* service, const rdma_addrinfo* hints,
              rdma_addrinfo& info) {
  if (hints != nullptr && hints->ai_family == AF_IB) return EAI_FAMILY;  // IP addresses only
  const bool named = node != nullptr || service != nullptr;
  if (const int error = named ? LookUp(node, service, hints, info) : Echo(*hints, info)) {
    return error;
  }
  if (info.ai_src_len > 0 || hints == nullptr || hints->ai_src_len == 0) return 0;
  return Copy(hints->ai_src_addr, hints->ai_src_len, info.ai_src_addr, info.ai_src_len);
}

}  // namespace
}  // namespace fakenic

extern "C" {

int rdma_getaddrinfo(const char* node, const char* service, const rdma_addrinfo* hints,
                     rdma_addrinfo** res) {
  if (const int error = fakenic::edge().faults.Fire("rdma_getaddrinfo")) return fakenic::Cm(error);
  if (node == nullptr && service == nullptr && hints == nullptr) return fakenic::Cm(EINVAL);
  fakenic::RdmaAddrInfo info(static_cast<rdma_addrinfo*>(std::calloc(1, sizeof(rdma_addrinfo))),
                             fakenic::Free);
  if (info == nullptr) return EAI_MEMORY;
  if (const int error = fakenic::Translate(node, service, hints, *info)) return error;
  *res = info.release();
  ++fakenic::edge().address_infos;
  return 0;
}

void rdma_freeaddrinfo(rdma_addrinfo* res) {
  while (res != nullptr) {
    rdma_addrinfo* next = res->ai_next;
    fakenic::Free(res);
    res = next;
    --fakenic::edge().address_infos;
  }
}

}  // extern "C"
