/* The reference on a device that pages in on demand, as mlx5 does: memory that cannot be pinned is
 * registered to be paged in, and takes advice. */
#define _GNU_SOURCE /* dlinfo */
#include <errno.h>
#include <fakenic.h>

#include "rpma_checks.h"

static struct rpma_mr_local *registered(struct rpma_peer *peer, void *memory, size_t size) {
  struct rpma_mr_local *mr = NULL;
  CALL(rpma_mr_reg(peer, memory, size, RPMA_MR_USAGE_WRITE_DST | RPMA_MR_USAGE_READ_SRC, &mr));
  return mr;
}

static int advice(struct rpma_mr_local *mr, size_t offset, size_t size, uint32_t flags) {
  return rpma_mr_advise(mr, offset, size, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, flags);
}

int main(void) {
  static char memory[8192];
  struct ibv_context *context = NULL;
  struct rpma_peer *peer = NULL;
  int odp = 0;
  CALL(fakenic_set_profile("mlx5"));
  CALL(rpma_utils_get_ibv_context("127.0.0.1", RPMA_UTIL_IBV_CONTEXT_LOCAL, &context));
  CALL(rpma_utils_ibv_context_is_odp_capable(context, &odp));
  EXPECT(odp == 1);
  CALL(rpma_peer_new(context, &peer));

  struct rpma_mr_local *pinned = registered(peer, memory, sizeof memory);
  EXPECT(advice(pinned, 0, sizeof memory, 0) == RPMA_E_INVAL);

  CALL(fakenic_fail_call("ibv_reg_mr", 1, EOPNOTSUPP)); /* as for a file that is mapped by DAX */
  struct rpma_mr_local *paged = registered(peer, memory, sizeof memory);
  CALL(advice(paged, 0, sizeof memory, 0));
  CALL(advice(paged, 4096, 0, IBV_ADVISE_MR_FLAG_FLUSH));
  CALL(advice(paged, sizeof memory, 0, 0));
  EXPECT(advice(paged, 1, sizeof memory, 0) == RPMA_E_INVAL);
  EXPECT(advice(paged, 0, 1, 2) == RPMA_E_INVAL);
  EXPECT(rpma_mr_advise(paged, 0, 1, 3, 0) == RPMA_E_NOSUPP);

  CALL(rpma_mr_dereg(&paged));
  CALL(rpma_mr_dereg(&pinned));
  CALL(rpma_peer_delete(&peer));
  return 0;
}
