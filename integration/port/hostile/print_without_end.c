/* Reports a missing argument, and does not stop. */
#include "next.h"

EXPORT int rpma_srq_cfg_get_rq_size(const struct rpma_srq_cfg *cfg, uint32_t *rq_size) {
  int (*next)(const struct rpma_srq_cfg *, uint32_t *);
  find_next(&next, "rpma_srq_cfg_get_rq_size");
  while (cfg != NULL && rq_size == NULL) puts("rpma_srq_cfg_get_rq_size: rq_size is NULL");
  return next(cfg, rq_size);
}
