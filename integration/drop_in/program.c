/* program LIBRARY: a client and a server in one process, on the library that the loader has found,
 * which has to be LIBRARY. Compares what arrives by each operation with what was sent. */
#define _GNU_SOURCE
#include <arpa/inet.h>

#include "rpma_checks.h"

#define ADDRESS "127.0.0.1"
#define PORT "7204"
#define SIZE 4096
#define IMM 0x12345678u
#define EARLY_RECEIVE \
  77 /* the context of the receive that is posted before the connection is there */

struct side {
  char *memory;
  struct rpma_conn *conn;
  struct rpma_cq *cq;
  struct rpma_mr_local *mr;
};

static void open_side(struct side *side, struct rpma_peer *peer, int seed) {
  const int usage = 0xff; /* of every kind */
  side->memory = aligned_alloc(SIZE, SIZE);
  EXPECT(side->memory != NULL);
  fill(side->memory, SIZE, seed);
  CALL(rpma_mr_reg(peer, side->memory, SIZE, usage, &side->mr));
}

static void close_side(struct side *side) {
  CALL(rpma_conn_delete(&side->conn));
  CALL(rpma_mr_dereg(&side->mr));
  free(side->memory);
}

/* The server sends the descriptors of its memory and of its platform with its answer. */
static void connect_sides(struct rpma_peer *peer, struct rpma_ep *ep, struct side *client,
                          struct side *server) {
  struct rpma_conn_req *req = NULL;
  struct rpma_conn_private_data pdata;
  struct rpma_peer_cfg *pcfg = NULL;
  char descriptors[64];
  size_t mr_size, pcfg_size;
  CALL(rpma_mr_get_descriptor_size(server->mr, &mr_size));
  CALL(rpma_mr_get_descriptor(server->mr, descriptors));
  CALL(rpma_peer_cfg_new(&pcfg));
  CALL(rpma_peer_cfg_set_direct_write_to_pmem(pcfg, true));
  CALL(rpma_peer_cfg_get_descriptor_size(pcfg, &pcfg_size));
  CALL(rpma_peer_cfg_get_descriptor(pcfg, descriptors + mr_size));
  CALL(rpma_peer_cfg_delete(&pcfg));
  pdata.ptr = descriptors;
  pdata.len = (uint8_t)(mr_size + pcfg_size);

  CALL(rpma_conn_req_new(peer, ADDRESS, PORT, NULL, &req));
  CALL(rpma_conn_req_connect(&req, NULL, &client->conn));
  CALL(rpma_ep_next_conn_req(ep, NULL, &req));
  CALL(rpma_conn_req_recv(req, server->mr, 3500, 64, (void *)(uintptr_t)EARLY_RECEIVE));
  CALL(rpma_conn_req_connect(&req, &pdata, &server->conn));
  expect_event(client->conn, RPMA_CONN_ESTABLISHED);
  expect_event(server->conn, RPMA_CONN_ESTABLISHED);
  CALL(rpma_conn_get_cq(client->conn, &client->cq));
  CALL(rpma_conn_get_cq(server->conn, &server->cq));
}

/* What the client makes of the answer. */
static struct rpma_mr_remote *apply_answer(struct rpma_conn *conn) {
  struct rpma_conn_private_data pdata;
  struct rpma_mr_remote *remote = NULL;
  struct rpma_peer_cfg *pcfg = NULL;
  const size_t mr_size = 21, pcfg_size = 1; /* fixed by the interface between the two sides */
  size_t size = 0;
  CALL(rpma_conn_get_private_data(conn, &pdata));
  EXPECT(pdata.len >= mr_size + pcfg_size);
  CALL(rpma_mr_remote_from_descriptor(pdata.ptr, mr_size, &remote));
  CALL(rpma_mr_remote_get_size(remote, &size));
  EXPECT(size == SIZE);
  CALL(rpma_peer_cfg_from_descriptor((char *)pdata.ptr + mr_size, pcfg_size, &pcfg));
  CALL(rpma_conn_apply_remote_peer_cfg(conn, pcfg));
  CALL(rpma_peer_cfg_delete(&pcfg));
  return remote;
}

static void use_memory(struct side *client, struct side *server, struct rpma_mr_remote *remote) {
  const int always = RPMA_F_COMPLETION_ALWAYS;
  const char word[8] = {'8', ' ', 'b', 'y', 't', 'e', 's', '.'};
  int contexts[5];
  CALL(rpma_write(client->conn, remote, 100, client->mr, 1000, 500, always, &contexts[0]));
  expect_completion(client->cq, &contexts[0]);
  EXPECT(memcmp(server->memory + 100, client->memory + 1000, 500) == 0);

  CALL(rpma_read(client->conn, client->mr, 2000, remote, 3000, 700, always, &contexts[1]));
  expect_completion(client->cq, &contexts[1]);
  EXPECT(memcmp(client->memory + 2000, server->memory + 3000, 700) == 0);

  CALL(rpma_write(client->conn, remote, 1024, client->mr, 0, 64, RPMA_F_COMPLETION_ON_ERROR, NULL));
  CALL(
      rpma_flush(client->conn, remote, 1024, 64, RPMA_FLUSH_TYPE_VISIBILITY, always, &contexts[2]));
  expect_completion(client->cq, &contexts[2]);
  EXPECT(memcmp(server->memory + 1024, client->memory, 64) == 0);
  CALL(rpma_flush(client->conn, remote, 0, SIZE, RPMA_FLUSH_TYPE_PERSISTENT, always, &contexts[3]));
  expect_completion(client->cq, &contexts[3]);

  CALL(rpma_atomic_write(client->conn, remote, 2048, word, always, &contexts[4]));
  expect_completion(client->cq, &contexts[4]);
  EXPECT(memcmp(server->memory + 2048, word, sizeof(word)) == 0);
}

static void expect_receive(struct rpma_cq *cq, uint64_t wr_id, uint32_t size) {
  struct ibv_wc wc;
  CALL(rpma_cq_get_wc(cq, 1, &wc, NULL));
  check(wc.status == IBV_WC_SUCCESS, ibv_wc_status_str(wc.status));
  EXPECT(wc.wr_id == wr_id);
  EXPECT(wc.byte_len == size);
  if ((wc.wc_flags & IBV_WC_WITH_IMM) != 0) EXPECT(ntohl(wc.imm_data) == IMM);
}

/* The first receive was posted before the connection was accepted. */
static void exchange_messages(struct side *client, struct side *server,
                              struct rpma_mr_remote *remote) {
  const int always = RPMA_F_COMPLETION_ALWAYS;
  int context;
  CALL(rpma_send(client->conn, client->mr, 500, 40, always, &context));
  expect_completion(client->cq, &context);
  expect_receive(server->cq, EARLY_RECEIVE, 40);
  EXPECT(memcmp(server->memory + 3500, client->memory + 500, 40) == 0);

  CALL(rpma_recv(client->conn, client->mr, 3600, 50, &context));
  CALL(
      rpma_send_with_imm(server->conn, server->mr, 600, 50, RPMA_F_COMPLETION_ON_ERROR, IMM, NULL));
  expect_receive(client->cq, (uintptr_t)&context, 50);
  EXPECT(memcmp(client->memory + 3600, server->memory + 600, 50) == 0);

  CALL(rpma_recv(server->conn, NULL, 0, 0, &context));
  CALL(rpma_write_with_imm(client->conn, remote, 3700, client->mr, 700, 60, always, IMM, &context));
  expect_completion(client->cq, &context);
  expect_receive(server->cq, (uintptr_t)&context, 60);
  EXPECT(memcmp(server->memory + 3700, client->memory + 700, 60) == 0);
}

int main(int argc, char **argv) {
  struct ibv_context *context = NULL;
  struct rpma_peer *peer = NULL;
  struct rpma_ep *ep = NULL;
  struct rpma_mr_remote *remote;
  struct side client = {0}, server = {0};
  EXPECT(argc == 2);
  expect_library(argv[1]);
  CALL(rpma_utils_get_ibv_context(ADDRESS, RPMA_UTIL_IBV_CONTEXT_LOCAL, &context));
  CALL(rpma_peer_new(context, &peer));
  CALL(rpma_ep_listen(peer, ADDRESS, PORT, &ep));
  open_side(&client, peer, 1);
  open_side(&server, peer, 2);
  connect_sides(peer, ep, &client, &server);
  remote = apply_answer(client.conn);

  use_memory(&client, &server, remote);
  exchange_messages(&client, &server, remote);

  CALL(rpma_conn_disconnect(client.conn));
  expect_event(server.conn, RPMA_CONN_CLOSED);
  CALL(rpma_conn_disconnect(server.conn));
  expect_event(client.conn, RPMA_CONN_CLOSED);
  CALL(rpma_mr_remote_delete(&remote));
  close_side(&client);
  close_side(&server);
  CALL(rpma_ep_shutdown(&ep));
  CALL(rpma_peer_delete(&peer));
  return 0;
}
