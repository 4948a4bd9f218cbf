#include "mr_local.h"

#include "descriptor.h"
#include "device.h"

namespace rpma {
namespace {

constexpr int kAllUsages = 0xff;

// The access rights that the usages need.
int AccessFor(int usage, bool is_iwarp) {
  int access = 0;
  if ((usage & RPMA_MR_USAGE_READ_SRC) != 0) access |= IBV_ACCESS_REMOTE_READ;
  if ((usage & RPMA_MR_USAGE_READ_DST) != 0) {
    access |= IBV_ACCESS_LOCAL_WRITE;
    if (is_iwarp) access |= IBV_ACCESS_REMOTE_WRITE;  // its read response is a kind of write
  }
  if ((usage & RPMA_MR_USAGE_WRITE_SRC) != 0) access |= IBV_ACCESS_LOCAL_WRITE;
  if ((usage & RPMA_MR_USAGE_WRITE_DST) != 0) {
    access |= IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_LOCAL_WRITE;
  }
  constexpr int kFlush = RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY | RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT;
  if ((usage & kFlush) != 0) access |= IBV_ACCESS_REMOTE_READ;  // a flush is a read
  if ((usage & RPMA_MR_USAGE_RECV) != 0) access |= IBV_ACCESS_LOCAL_WRITE;
  return access;
}

// The rights that a native flush of the other side needs; of this library a flush is a read.
int NativeFlushAccessFor(int usage) {
  int access = 0;
  if ((usage & RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY) != 0) access |= kAccessFlushGlobal;
  if ((usage & RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT) != 0) access |= kAccessFlushPersistent;
  return access;
}

Mr Register(const rpma_peer& peer, void* ptr, size_t size, int usage) {
  ibv_pd* pd = peer.pd->get();
  const bool is_iwarp = pd->context->device->transport_type == IBV_TRANSPORT_IWARP;
  const int access = AccessFor(usage, is_iwarp);
  // In parentheses: the function, not the macro that asks for optional access rights.
  ibv_mr* mr = nullptr;
  const int native_flush = NativeFlushAccessFor(usage) & peer.native_flush_access;
  if (native_flush != 0) mr = (ibv_reg_mr)(pd, ptr, size, access | native_flush);
  // Also what is not persistent memory, which a device may refuse to flush persistently.
  if (mr == nullptr) mr = (ibv_reg_mr)(pd, ptr, size, access);
  if (mr == nullptr && errno == EOPNOTSUPP && peer.is_odp_capable) {
    // Memory that cannot be pinned, such as a file of a DAX file system.
    mr = (ibv_reg_mr)(pd, ptr, size, access | IBV_ACCESS_ON_DEMAND);
  }
  return Mr(OrThrow(mr, "ibv_reg_mr"));
}

}  // namespace
}  // namespace rpma

rpma_mr_local::rpma_mr_local(const rpma_peer& peer, void* ptr, size_t size, int usage_bits)
    : addr(reinterpret_cast<uintptr_t>(ptr)),
      usage(static_cast<uint8_t>(usage_bits)),
      mr(rpma::Register(peer, ptr, size, usage_bits)) {
  lkey = mr->lkey;
}

int rpma_mr_reg(struct rpma_peer* peer, void* ptr, size_t size, int usage,
                struct rpma_mr_local** mr_ptr) {
  if (peer == nullptr || ptr == nullptr || size == 0 || mr_ptr == nullptr) return RPMA_E_INVAL;
  if (usage == 0 || (usage & ~rpma::kAllUsages) != 0) return RPMA_E_INVAL;
  return rpma::Boundary([&] { *mr_ptr = new rpma_mr_local(*peer, ptr, size, usage); });
}

int rpma_mr_dereg(struct rpma_mr_local** mr_ptr) {
  if (mr_ptr == nullptr) return RPMA_E_INVAL;
  rpma_mr_local* mr = *mr_ptr;
  if (mr == nullptr) return 0;
  if (const int code = mr->mr.Close(); code != 0) return code;
  delete mr;
  *mr_ptr = nullptr;
  return 0;
}

int rpma_mr_get_descriptor(const struct rpma_mr_local* mr, void* desc) {
  if (mr == nullptr || desc == nullptr) return RPMA_E_INVAL;
  rpma::Encode(
      {.addr = mr->addr, .length = mr->mr->length, .rkey = mr->mr->rkey, .usage = mr->usage},
      static_cast<uint8_t*>(desc));
  return 0;
}

int rpma_mr_get_descriptor_size(const struct rpma_mr_local* mr, size_t* desc_size) {
  if (mr == nullptr || desc_size == nullptr) return RPMA_E_INVAL;
  *desc_size = rpma::kMrDescriptorSize;
  return 0;
}

int rpma_mr_get_ptr(const struct rpma_mr_local* mr, void** ptr) {
  if (mr == nullptr || ptr == nullptr) return RPMA_E_INVAL;
  *ptr = mr->mr->addr;
  return 0;
}

int rpma_mr_get_size(const struct rpma_mr_local* mr, size_t* size) {
  if (mr == nullptr || size == nullptr) return RPMA_E_INVAL;
  *size = mr->mr->length;
  return 0;
}
