/* persistence LIBRARY: direct write to persistent memory over the librpma that the loader has
 * found, which has to be LIBRARY. What rpma_flush has made persistent survives a power failure of
 * the server where a read makes it so, and is lost where the NIC's writes stay in a cache. */
#define _GNU_SOURCE
#include <fakenic.h>

#include "rpma_checks.h"

#define ADDRESS "127.0.0.1"
#define PORT "7210"
#define SIZE 4096

/* A NIC that is no fake has none of these. */
static int (*set_platform)(const char *name);
static int (*fail_power)(void);
static int (*is_persistent)(const void *addr, size_t length);

static void find_fake(void) {
  *(void **)&set_platform = dlsym(RTLD_DEFAULT, "fakenic_set_platform");
  *(void **)&fail_power = dlsym(RTLD_DEFAULT, "fakenic_fail_power");
  *(void **)&is_persistent = dlsym(RTLD_DEFAULT, "fakenic_is_persistent");
  EXPECT(set_platform != NULL && fail_power != NULL && is_persistent != NULL);
}

struct ends {
  struct rpma_peer *peer;
  struct rpma_ep *ep;
  struct rpma_conn *client, *server;
  struct rpma_mr_local *src, *dst;
  struct rpma_mr_remote *remote;
};

/* The server's memory, as its descriptor tells of it. */
static void expose(struct ends *ends, char *memory) {
  char descriptor[64];
  size_t size;
  CALL(rpma_mr_reg(ends->peer, memory, SIZE,
                   RPMA_MR_USAGE_WRITE_DST | RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT, &ends->dst));
  CALL(rpma_mr_get_descriptor_size(ends->dst, &size));
  EXPECT(size <= sizeof descriptor);
  CALL(rpma_mr_get_descriptor(ends->dst, descriptor));
  CALL(rpma_mr_remote_from_descriptor(descriptor, size, &ends->remote));
}

static void connect_ends(struct ends *ends) {
  struct rpma_conn_req *req = NULL;
  struct rpma_peer_cfg *pcfg = NULL;
  CALL(rpma_conn_req_new(ends->peer, ADDRESS, PORT, NULL, &req));
  CALL(rpma_conn_req_connect(&req, NULL, &ends->client));
  CALL(rpma_ep_next_conn_req(ends->ep, NULL, &req));
  CALL(rpma_conn_req_connect(&req, NULL, &ends->server));
  expect_event(ends->client, RPMA_CONN_ESTABLISHED);
  expect_event(ends->server, RPMA_CONN_ESTABLISHED);
  CALL(rpma_peer_cfg_new(&pcfg));
  CALL(rpma_peer_cfg_set_direct_write_to_pmem(pcfg, true));
  CALL(rpma_conn_apply_remote_peer_cfg(ends->client, pcfg));
  CALL(rpma_peer_cfg_delete(&pcfg));
}

static void write_and_flush(struct ends *ends) {
  struct rpma_cq *cq = NULL;
  CALL(rpma_conn_get_cq(ends->client, &cq));
  CALL(rpma_write(ends->client, ends->remote, 0, ends->src, 0, SIZE, RPMA_F_COMPLETION_ON_ERROR,
                  NULL));
  CALL(rpma_flush(ends->client, ends->remote, 0, SIZE, RPMA_FLUSH_TYPE_PERSISTENT,
                  RPMA_F_COMPLETION_ALWAYS, ends));
  expect_completion(cq, ends);
}

/* Whether what was written and flushed is there after a power failure of a server on this platform.
 */
static int survives(struct ibv_context *context, const char *platform) {
  static char sent[SIZE], memory[SIZE];
  struct ends ends = {0};
  fill(sent, SIZE, 1);
  memset(memory, 0, SIZE);
  CALL(set_platform(platform));
  CALL(rpma_peer_new(context, &ends.peer));
  CALL(rpma_ep_listen(ends.peer, ADDRESS, PORT, &ends.ep));
  CALL(rpma_mr_reg(ends.peer, sent, SIZE, RPMA_MR_USAGE_WRITE_SRC, &ends.src));
  expose(&ends, memory);
  connect_ends(&ends);

  write_and_flush(&ends);
  EXPECT(memcmp(memory, sent, SIZE) == 0); /* so it could be seen */
  const int persistent = is_persistent(memory, SIZE);
  CALL(fail_power());
  const int survived = memcmp(memory, sent, SIZE) == 0;
  EXPECT(survived == persistent);
  EXPECT(survived || memory[0] == 0);

  CALL(rpma_conn_delete(&ends.client));
  CALL(rpma_conn_delete(&ends.server));
  CALL(rpma_mr_remote_delete(&ends.remote));
  CALL(rpma_mr_dereg(&ends.dst));
  CALL(rpma_mr_dereg(&ends.src));
  CALL(rpma_ep_shutdown(&ends.ep));
  CALL(rpma_peer_delete(&ends.peer));
  return survived;
}

int main(int argc, char **argv) {
  struct ibv_context *context = NULL;
  EXPECT(argc == 2);
  expect_library(argv[1]);
  find_fake();
  CALL(rpma_utils_get_ibv_context(ADDRESS, RPMA_UTIL_IBV_CONTEXT_LOCAL, &context));
  EXPECT(survives(context, "adr"));
  EXPECT(survives(context, "eadr"));
  EXPECT(!survives(context, "adr-ddio"));
  return 0;
}
