#include <librpma.h>

#include "address.h"
#include "cm_objects.h"
#include "device.h"
#include "enum_value.h"

namespace rpma {
namespace {

constexpr int kResolveTimeoutMs = 1000;

bool IsKnown(const rpma_util_ibv_context_type& type) {
  const int value = EnumValue(type);
  return value == RPMA_UTIL_IBV_CONTEXT_LOCAL || value == RPMA_UTIL_IBV_CONTEXT_REMOTE;
}

// Stores the device that bears the address, or leads to it, in *context.
int FindDevice(const rdma_addrinfo& info, rpma_util_ibv_context_type type, ibv_context** context) {
  CmId id = CmId::Make(/*channel=*/nullptr);
  const int result =
      type == RPMA_UTIL_IBV_CONTEXT_LOCAL
          ? rdma_bind_addr(id.get(), info.ai_src_addr)
          : rdma_resolve_addr(id.get(), info.ai_src_addr, info.ai_dst_addr, kResolveTimeoutMs);
  if (result != 0) {
    const bool local = type == RPMA_UTIL_IBV_CONTEXT_LOCAL;
    return ProviderFailure(local ? "rdma_bind_addr" : "rdma_resolve_addr", errno);
  }
  if (id->verbs == nullptr) {  // a wildcard binds to no device
    errno = ENODEV;
    return ProviderFailure("rdma_bind_addr", errno);
  }
  *context = id->verbs;
  return 0;
}

}  // namespace
}  // namespace rpma

int rpma_utils_ibv_context_is_odp_capable(struct ibv_context* ibv_ctx, int* is_odp_capable) {
  if (ibv_ctx == nullptr || is_odp_capable == nullptr) return RPMA_E_INVAL;
  return rpma::Boundary(
      [&] { *is_odp_capable = rpma::IsOdpCapable(rpma::QueryDevice(ibv_ctx)) ? 1 : 0; });
}

int rpma_utils_get_ibv_context(const char* addr, enum rpma_util_ibv_context_type type,
                               struct ibv_context** ibv_ctx_ptr) {
  if (addr == nullptr || ibv_ctx_ptr == nullptr || !rpma::IsKnown(type)) return RPMA_E_INVAL;
  return rpma::Boundary([&] {
    const int flags = type == RPMA_UTIL_IBV_CONTEXT_LOCAL ? RAI_PASSIVE : 0;
    rpma::TryAddresses(addr, /*service=*/nullptr, flags, [&](const rdma_addrinfo& info) {
      return rpma::FindDevice(info, type, ibv_ctx_ptr);
    });
  });
}

const char* rpma_utils_conn_event_2str(enum rpma_conn_event conn_event) {
  switch (rpma::EnumValue(conn_event)) {
    case RPMA_CONN_UNDEFINED:
      return "Undefined connection event";
    case RPMA_CONN_ESTABLISHED:
      return "Connection established";
    case RPMA_CONN_CLOSED:
      return "Connection closed";
    case RPMA_CONN_LOST:
      return "Connection lost";
    case RPMA_CONN_REJECTED:
      return "Connection rejected";
    case RPMA_CONN_UNREACHABLE:
      return "Connection unreachable";
  }
  return "Unsupported connection event";
}
