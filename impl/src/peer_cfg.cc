#include "peer_cfg.h"

#include "error.h"

namespace rpma {
namespace {

// The network form: one byte, 1 if the platform has direct write to pmem, else 0.
constexpr size_t kPeerCfgDescriptorSize = 1;

}  // namespace
}  // namespace rpma

int rpma_peer_cfg_new(struct rpma_peer_cfg** pcfg_ptr) {
  if (pcfg_ptr == nullptr) return RPMA_E_INVAL;
  return rpma::Boundary([&] { *pcfg_ptr = new rpma_peer_cfg; });
}

int rpma_peer_cfg_delete(struct rpma_peer_cfg** pcfg_ptr) {
  if (pcfg_ptr == nullptr) return RPMA_E_INVAL;
  delete *pcfg_ptr;
  *pcfg_ptr = nullptr;
  return 0;
}

int rpma_peer_cfg_set_direct_write_to_pmem(struct rpma_peer_cfg* pcfg, bool supported) {
  if (pcfg == nullptr) return RPMA_E_INVAL;
  pcfg->direct_write_to_pmem.store(supported, std::memory_order_relaxed);
  return 0;
}

int rpma_peer_cfg_get_direct_write_to_pmem(const struct rpma_peer_cfg* pcfg, bool* supported) {
  if (pcfg == nullptr || supported == nullptr) return RPMA_E_INVAL;
  *supported = pcfg->direct_write_to_pmem.load(std::memory_order_relaxed);
  return 0;
}

int rpma_peer_cfg_get_descriptor(const struct rpma_peer_cfg* pcfg, void* desc) {
  if (pcfg == nullptr || desc == nullptr) return RPMA_E_INVAL;
  const bool supported = pcfg->direct_write_to_pmem.load(std::memory_order_relaxed);
  *static_cast<uint8_t*>(desc) = supported ? 1 : 0;
  return 0;
}

int rpma_peer_cfg_get_descriptor_size(const struct rpma_peer_cfg* pcfg, size_t* desc_size) {
  if (pcfg == nullptr || desc_size == nullptr) return RPMA_E_INVAL;
  *desc_size = rpma::kPeerCfgDescriptorSize;
  return 0;
}

int rpma_peer_cfg_from_descriptor(const void* desc, size_t desc_size,
                                  struct rpma_peer_cfg** pcfg_ptr) {
  if (desc == nullptr || pcfg_ptr == nullptr) return RPMA_E_INVAL;
  if (desc_size < rpma::kPeerCfgDescriptorSize) {
    rpma::Log{RPMA_LOG_LEVEL_ERROR}("peer_cfg descriptor: needs %zu bytes, has %zu",
                                    rpma::kPeerCfgDescriptorSize, desc_size);
    return RPMA_E_INVAL;
  }
  const bool supported = *static_cast<const uint8_t*>(desc) != 0;
  rpma::Log{RPMA_LOG_LEVEL_INFO}("peer_cfg: direct write to pmem is %ssupported",
                                 supported ? "" : "not ");
  return rpma::Boundary([&] { *pcfg_ptr = new rpma_peer_cfg{supported}; });
}
