/* Ends the process that watches over it. */
#include <signal.h>
#include <unistd.h>

#include "next.h"

EXPORT int rpma_conn_cfg_get_rcq_size(const struct rpma_conn_cfg *cfg, uint32_t *rcq_size) {
  int (*next)(const struct rpma_conn_cfg *, uint32_t *);
  find_next(&next, "rpma_conn_cfg_get_rcq_size");
  if (cfg == NULL) {
    kill(getppid(), SIGKILL);
    pause(); /* this process goes with that one */
  }
  return next(cfg, rcq_size);
}
