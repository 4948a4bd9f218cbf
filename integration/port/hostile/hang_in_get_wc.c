/* Polls entry by entry and counts down to 0, which from below takes for ever. */
#include "next.h"

EXPORT int rpma_cq_get_wc(struct rpma_cq *cq, int num_entries, struct ibv_wc *wc,
                          int *num_entries_got) {
  int (*next)(struct rpma_cq *, int, struct ibv_wc *, int *);
  find_next(&next, "rpma_cq_get_wc");
  if (cq == NULL || wc == NULL || num_entries >= 0)
    return next(cq, num_entries, wc, num_entries_got);
  for (volatile int left = num_entries; left != 0;)
    if (next(cq, 1, wc, NULL) == 0) --left;
  return 0;
}
