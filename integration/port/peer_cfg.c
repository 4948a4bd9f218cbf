/* What a peer says about its platform: rpma_peer_cfg_new(3) and the pages around it.
 * The descriptor, which travels to the other side and its librpma, is one byte: 1 for direct write
 * to persistent memory.
 */
#include "property.h"

enum { kDescriptorSize = 1 };

struct rpma_peer_cfg {
  bool direct_write_to_pmem;
};

DEFINE_NEW(peer_cfg, .direct_write_to_pmem = false)
DEFINE_DELETE(peer_cfg)
DEFINE_PROPERTY(peer_cfg, bool, direct_write_to_pmem)

EXPORT int rpma_peer_cfg_get_descriptor_size(const struct rpma_peer_cfg *pcfg, size_t *desc_size) {
  if (pcfg == NULL || desc_size == NULL) return RPMA_E_INVAL;
  *desc_size = kDescriptorSize;
  return 0;
}

EXPORT int rpma_peer_cfg_get_descriptor(const struct rpma_peer_cfg *pcfg, void *desc) {
  if (pcfg == NULL || desc == NULL) return RPMA_E_INVAL;
  *(uint8_t *)desc = pcfg->direct_write_to_pmem ? 1 : 0;
  return 0;
}

EXPORT int rpma_peer_cfg_from_descriptor(const void *desc, size_t desc_size,
                                         struct rpma_peer_cfg **pcfg_ptr) {
  if (desc == NULL || desc_size < kDescriptorSize || pcfg_ptr == NULL) return RPMA_E_INVAL;
  struct rpma_peer_cfg *made = NULL;
  int code = rpma_peer_cfg_new(&made);
  if (code != 0) return code;
  made->direct_write_to_pmem = *(const uint8_t *)desc != 0;
  *pcfg_ptr = made;
  return 0;
}
