/* Makes object after object when it has nowhere to put one. Fast, so that memory is over before the
 * time is. */
#include <sys/mman.h>

#include "next.h"

EXPORT int rpma_peer_cfg_from_descriptor(const void *desc, size_t desc_size,
                                         struct rpma_peer_cfg **pcfg_ptr) {
  int (*next)(const void *, size_t, struct rpma_peer_cfg **);
  find_next(&next, "rpma_peer_cfg_from_descriptor");
  if (desc == NULL || desc_size == 0 || pcfg_ptr != NULL) return next(desc, desc_size, pcfg_ptr);
  enum { kPiece = 256 << 20 };
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
  while (mmap(NULL, kPiece, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED) continue;
  return RPMA_E_NOMEM;
}
