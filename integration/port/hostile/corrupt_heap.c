/* Writes beyond its block, over whatever else is on the heap. */
#include "next.h"

EXPORT int rpma_peer_cfg_get_descriptor(const struct rpma_peer_cfg *pcfg, void *desc) {
  int (*next)(const struct rpma_peer_cfg *, void *);
  find_next(&next, "rpma_peer_cfg_get_descriptor");
  if (pcfg != NULL && desc != NULL) {
    char *volatile victim = malloc(24);
    if (victim == NULL) return RPMA_E_NOMEM;
    volatile char *byte = victim;
    for (int i = 0; i < 4096; ++i) byte[i] = 0x41;
    free(victim);
  }
  return next(pcfg, desc);
}
