/* rpma_client LIBRARY PORT: reads the server's memory, writes there, asks the server what it has
 * found. LIBRARY is the librpma that has to be loaded. */
#define _GNU_SOURCE
#include "rpma_checks.h"
#include "rpma_pair.h"

static struct rpma_conn *connect_to(struct rpma_peer *peer, const char *port,
                                    struct rpma_mr_remote **remote) {
  struct rpma_conn_req *req = NULL;
  struct rpma_conn *conn = NULL;
  struct rpma_conn_private_data pdata;
  size_t size = 0;
  CALL(rpma_conn_req_new(peer, ADDRESS, port, NULL, &req));
  CALL(rpma_conn_req_connect(&req, NULL, &conn));
  expect_event(conn, RPMA_CONN_ESTABLISHED);
  CALL(rpma_conn_get_private_data(conn, &pdata));
  CALL(rpma_mr_remote_from_descriptor(pdata.ptr, 21, remote)); /* behind it there are zeros */
  CALL(rpma_mr_remote_get_size(*remote, &size));
  EXPECT(size == SIZE);
  return conn;
}

static void read_from(struct rpma_conn *conn, struct rpma_mr_local *mr, const char *memory,
                      struct rpma_mr_remote *remote) {
  static char expected[SIZE];
  struct rpma_cq *cq = NULL;
  CALL(rpma_conn_get_cq(conn, &cq));
  CALL(rpma_read(conn, mr, WRITTEN, remote, READ, LENGTH, RPMA_F_COMPLETION_ALWAYS, mr));
  expect_completion(cq, mr);
  fill(expected, SIZE, SERVER_SEED);
  EXPECT(memcmp(memory + WRITTEN, expected + READ, LENGTH) == 0);
  printf("client: %d bytes read\n", LENGTH);
}

static void write_to(struct rpma_conn *conn, struct rpma_mr_local *mr,
                     struct rpma_mr_remote *remote) {
  struct rpma_cq *cq = NULL;
  CALL(rpma_conn_get_cq(conn, &cq));
  CALL(rpma_write(conn, remote, WRITTEN, mr, 0, LENGTH, RPMA_F_COMPLETION_ON_ERROR, NULL));
  CALL(rpma_flush(conn, remote, WRITTEN, LENGTH, RPMA_FLUSH_TYPE_VISIBILITY,
                  RPMA_F_COMPLETION_ALWAYS, mr));
  expect_completion(cq, mr);
  CALL(rpma_atomic_write(conn, remote, WORD, WORD_TEXT, RPMA_F_COMPLETION_ALWAYS, mr));
  expect_completion(cq, mr);
}

static void ask(struct rpma_conn *conn, struct rpma_mr_local *mr, char *memory) {
  const size_t size = sizeof(struct message);
  struct message *message = (struct message *)(memory + MESSAGES);
  struct rpma_cq *cq = NULL;
  CALL(rpma_conn_get_cq(conn, &cq));
  CALL(rpma_recv(conn, mr, MESSAGES + size, size, mr));
  *message = (struct message){LENGTH, 0};
  CALL(rpma_send(conn, mr, MESSAGES, size, RPMA_F_COMPLETION_ON_ERROR, NULL));
  expect_completion(cq, mr);
  EXPECT(message[1].found == LENGTH);
  printf("client: the server found %u bytes\n", message[1].found);
}

int main(int argc, char **argv) {
  struct rpma_peer *peer;
  struct rpma_mr_local *mr = NULL;
  struct rpma_mr_remote *remote = NULL;
  struct rpma_conn *conn;
  char *memory;
  EXPECT(argc == 3);
  expect_library(argv[1]);
  peer = open_peer(RPMA_UTIL_IBV_CONTEXT_REMOTE);
  memory = open_memory(peer, CLIENT_SEED, &mr);

  conn = connect_to(peer, argv[2], &remote);
  read_from(conn, mr, memory, remote);
  write_to(conn, mr, remote);
  ask(conn, mr, memory);
  CALL(rpma_conn_disconnect(conn));
  expect_event(conn, RPMA_CONN_CLOSED);

  CALL(rpma_mr_remote_delete(&remote));
  CALL(rpma_conn_delete(&conn));
  CALL(rpma_mr_dereg(&mr));
  CALL(rpma_peer_delete(&peer));
  free(memory);
  printf("client: done\n");
  return 0;
}
