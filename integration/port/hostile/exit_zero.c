/* Ends the program for a value that it does not like, as if all were well. */
#include "next.h"

EXPORT int rpma_conn_cfg_set_timeout(struct rpma_conn_cfg *cfg, int timeout_ms) {
  int (*next)(struct rpma_conn_cfg *, int);
  find_next(&next, "rpma_conn_cfg_set_timeout");
  if (cfg != NULL && timeout_ms < 0) exit(0);
  return next(cfg, timeout_ms);
}
