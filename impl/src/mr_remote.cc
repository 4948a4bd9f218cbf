#include "mr_remote.h"

#include <cinttypes>

#include "descriptor.h"
#include "error.h"

int rpma_mr_remote_from_descriptor(const void* desc, size_t desc_size,
                                   struct rpma_mr_remote** mr_ptr) {
  if (desc == nullptr || mr_ptr == nullptr) return RPMA_E_INVAL;
  if (desc_size < rpma::kMrDescriptorSize) {
    rpma::Log{RPMA_LOG_LEVEL_ERROR}("mr descriptor: needs %zu bytes, has %zu",
                                    rpma::kMrDescriptorSize, desc_size);
    return RPMA_E_INVAL;
  }
  const rpma::MrDescriptor region = rpma::DecodeMrDescriptor(static_cast<const uint8_t*>(desc));
  if (region.usage == 0) {
    rpma::Log{RPMA_LOG_LEVEL_ERROR}("mr descriptor: grants no usage");
    return RPMA_E_NOSUPP;
  }
  rpma::Log{RPMA_LOG_LEVEL_DEBUG}("mr: addr 0x%" PRIx64 ", size %" PRIu64 ", rkey 0x%" PRIx32
                                  ", usage 0x%x",
                                  region.addr, region.length, region.rkey, region.usage);
  return rpma::Boundary([&] {
    *mr_ptr = new rpma_mr_remote{
        .addr = region.addr, .size = region.length, .rkey = region.rkey, .usage = region.usage};
  });
}

int rpma_mr_remote_get_size(const struct rpma_mr_remote* mr, size_t* size) {
  if (mr == nullptr || size == nullptr) return RPMA_E_INVAL;
  *size = mr->size;
  return 0;
}

int rpma_mr_remote_get_flush_type(const struct rpma_mr_remote* mr, int* flush_type) {
  if (mr == nullptr || flush_type == nullptr) return RPMA_E_INVAL;
  *flush_type =
      mr->usage & (RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY | RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT);
  return 0;
}

int rpma_mr_remote_delete(struct rpma_mr_remote** mr_ptr) {
  if (mr_ptr == nullptr) return RPMA_E_INVAL;
  delete *mr_ptr;
  *mr_ptr = nullptr;
  return 0;
}
