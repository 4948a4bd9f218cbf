#include "peer.h"

#include "device.h"

namespace rpma {
namespace {

// The IB_UVERBS_DEVICE_ bits of <rdma/ib_user_verbs.h>, which kernel headers before 6.2 lack.
constexpr uint64_t kDeviceAtomicWrite = uint64_t{1} << 40;
constexpr uint64_t kDeviceFlushGlobal = uint64_t{1} << 38;
constexpr uint64_t kDeviceFlushPersistent = uint64_t{1} << 39;

int NativeFlushAccess(const ibv_device_attr_ex& attr) {
  int access = 0;
  if ((attr.device_cap_flags_ex & kDeviceFlushGlobal) != 0) access |= kAccessFlushGlobal;
  if ((attr.device_cap_flags_ex & kDeviceFlushPersistent) != 0) access |= kAccessFlushPersistent;
  return access;
}

Pd AllocPd(ibv_context* context) {
  errno = 0;
  ibv_pd* pd = ibv_alloc_pd(context);
  if (pd != nullptr) return Pd(pd);
  switch (errno) {
    case ENOMEM:
      throw Error{RPMA_E_NOMEM};
    case 0:
      throw Error{RPMA_E_UNKNOWN};
    default:
      throw Error{ProviderFailure("ibv_alloc_pd", errno)};
  }
}

}  // namespace
}  // namespace rpma

rpma_peer::rpma_peer(ibv_context* context) {
  const ibv_device_attr_ex attr = rpma::QueryDevice(context);
  is_odp_capable = rpma::IsOdpCapable(attr);
  has_native_atomic_write = (attr.device_cap_flags_ex & rpma::kDeviceAtomicWrite) != 0;
  native_flush_access = rpma::NativeFlushAccess(attr);
  if (!has_native_atomic_write) {
    rpma::Log{RPMA_LOG_LEVEL_INFO}("device: no native atomic write");
  }
  pd = std::make_shared<rpma::Pd>(rpma::AllocPd(context));
}

int rpma_peer_new(struct ibv_context* ibv_ctx, struct rpma_peer** peer_ptr) {
  if (ibv_ctx == nullptr || peer_ptr == nullptr) return RPMA_E_INVAL;
  return rpma::Boundary([&] { *peer_ptr = new rpma_peer(ibv_ctx); });
}

int rpma_peer_delete(struct rpma_peer** peer_ptr) {
  if (peer_ptr == nullptr) return RPMA_E_INVAL;
  rpma_peer* peer = *peer_ptr;
  if (peer == nullptr) return 0;
  // A listening endpoint has a copy; it frees the domain when it is shut down.
  if (peer->pd.use_count() == 1) {
    if (const int code = peer->pd->Close(); code != 0) return code;
  }
  delete peer;
  *peer_ptr = nullptr;
  return 0;
}
