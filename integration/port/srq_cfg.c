/* How a shared receive queue is to be made: rpma_srq_cfg_new(3) and the pages around it. */
#include "property.h"

struct rpma_srq_cfg {
  uint32_t rq_size;
  uint32_t rcq_size;
};

DEFINE_NEW(srq_cfg, .rq_size = 100, .rcq_size = 100)
DEFINE_DELETE(srq_cfg)
DEFINE_PROPERTY(srq_cfg, uint32_t, rq_size)
DEFINE_PROPERTY(srq_cfg, uint32_t, rcq_size)
