/* rpma_server LIBRARY PORT: lets one client read and write its memory, and checks what the client
 * has written once that says so. LIBRARY is the librpma that has to be loaded. */
#define _GNU_SOURCE
#include "rpma_checks.h"
#include "rpma_pair.h"

static struct rpma_conn *accept_client(struct rpma_ep *ep, struct rpma_mr_local *mr) {
  struct rpma_conn_req *req = NULL;
  struct rpma_conn *conn = NULL;
  struct rpma_conn_private_data pdata;
  char descriptor[64];
  size_t size;
  CALL(rpma_mr_get_descriptor_size(mr, &size));
  EXPECT(size <= sizeof(descriptor));
  CALL(rpma_mr_get_descriptor(mr, descriptor));
  pdata.ptr = descriptor;
  pdata.len = (uint8_t)size;
  CALL(rpma_ep_next_conn_req(ep, NULL, &req));
  CALL(rpma_conn_req_recv(req, mr, MESSAGES, sizeof(struct message), NULL));
  CALL(rpma_conn_req_connect(&req, &pdata, &conn));
  expect_event(conn, RPMA_CONN_ESTABLISHED);
  return conn;
}

/* What the client says it has done. */
static void check_client(struct rpma_conn *conn, const char *memory) {
  static char expected[SIZE];
  struct rpma_cq *cq = NULL;
  const struct message *message = (const struct message *)(memory + MESSAGES);
  CALL(rpma_conn_get_cq(conn, &cq));
  expect_completion(cq, NULL);
  EXPECT(message->written == LENGTH);
  fill(expected, SIZE, CLIENT_SEED);
  EXPECT(memcmp(memory + WRITTEN, expected, LENGTH) == 0);
  EXPECT(memcmp(memory + WORD, WORD_TEXT, 8) == 0);
  printf("server: %u bytes written, and a word\n", message->written);
}

static void answer(struct rpma_conn *conn, struct rpma_mr_local *mr, char *memory) {
  struct rpma_cq *cq = NULL;
  ((struct message *)(memory + MESSAGES))->found = LENGTH;
  CALL(rpma_conn_get_cq(conn, &cq));
  CALL(rpma_send(conn, mr, MESSAGES, sizeof(struct message), RPMA_F_COMPLETION_ALWAYS, cq));
  expect_completion(cq, cq);
}

int main(int argc, char **argv) {
  struct rpma_peer *peer;
  struct rpma_ep *ep = NULL;
  struct rpma_mr_local *mr = NULL;
  struct rpma_conn *conn;
  char *memory;
  EXPECT(argc == 3);
  expect_library(argv[1]);
  peer = open_peer(RPMA_UTIL_IBV_CONTEXT_LOCAL);
  memory = open_memory(peer, SERVER_SEED, &mr);
  CALL(rpma_ep_listen(peer, ADDRESS, argv[2], &ep));

  conn = accept_client(ep, mr);
  check_client(conn, memory);
  answer(conn, mr, memory);
  expect_event(conn, RPMA_CONN_CLOSED);
  CALL(rpma_conn_disconnect(conn));

  CALL(rpma_conn_delete(&conn));
  CALL(rpma_ep_shutdown(&ep));
  CALL(rpma_mr_dereg(&mr));
  CALL(rpma_peer_delete(&peer));
  free(memory);
  printf("server: done\n");
  return 0;
}
