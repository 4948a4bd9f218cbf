/* Is wrong once and never again, whichever process asks: the file that HOSTILE_ONCE names tells. */
#include <fcntl.h>
#include <unistd.h>

#include "next.h"

EXPORT int rpma_conn_cfg_get_cq_size(const struct rpma_conn_cfg *cfg, uint32_t *cq_size) {
  int (*next)(const struct rpma_conn_cfg *, uint32_t *);
  find_next(&next, "rpma_conn_cfg_get_cq_size");
  const char *told = getenv("HOSTILE_ONCE");
  const int code = next(cfg, cq_size);
  if (code != 0 || told == NULL) return code;
  const int file = open(told, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return code;
  close(file);
  ++*cq_size;
  return code;
}
