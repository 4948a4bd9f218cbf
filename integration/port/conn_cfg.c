/* How a connection is to be made: rpma_conn_cfg_new(3) and the pages around it, but for the shared
 * receive queue. */
#include "property.h"

struct rpma_conn_cfg {
  int timeout; /* milliseconds */
  uint32_t cq_size;
  uint32_t rcq_size;
  uint32_t sq_size;
  uint32_t rq_size;
  bool compl_channel; /* one for both completion queues */
};

DEFINE_NEW(conn_cfg, .timeout = RPMA_DEFAULT_TIMEOUT_MS, .cq_size = 10, .rcq_size = 0,
           .sq_size = 10, .rq_size = 10, .compl_channel = false)
DEFINE_DELETE(conn_cfg)

DEFINE_SET(conn_cfg, int, timeout, timeout >= 0)
DEFINE_GET(conn_cfg, int, timeout)
DEFINE_PROPERTY(conn_cfg, uint32_t, cq_size)
DEFINE_PROPERTY(conn_cfg, uint32_t, rcq_size)
DEFINE_PROPERTY(conn_cfg, uint32_t, sq_size)
DEFINE_PROPERTY(conn_cfg, uint32_t, rq_size)
DEFINE_PROPERTY(conn_cfg, bool, compl_channel)
