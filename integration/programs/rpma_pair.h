/* What rpma_server and rpma_client have agreed on. Each has SIZE bytes. */
#pragma once

#include "rpma_checks.h"

#define ADDRESS "127.0.0.1"
#define SIZE 4096
#define LENGTH 1000
#define READ 0
#define WRITTEN 2000
#define WORD 3072
#define WORD_TEXT "8 bytes."
#define MESSAGES 3584
#define SERVER_SEED 1
#define CLIENT_SEED 2

struct message {
  uint32_t written; /* how many bytes the client wrote */
  uint32_t found;   /* how many of them the server found */
};

static inline struct rpma_peer *open_peer(enum rpma_util_ibv_context_type type) {
  struct ibv_context *context = NULL;
  struct rpma_peer *peer = NULL;
  CALL(rpma_utils_get_ibv_context(ADDRESS, type, &context));
  CALL(rpma_peer_new(context, &peer));
  return peer;
}

static inline char *open_memory(struct rpma_peer *peer, int seed, struct rpma_mr_local **mr) {
  const int usage = 0xff; /* of every kind */
  char *memory = aligned_alloc(SIZE, SIZE);
  EXPECT(memory != NULL);
  fill(memory, SIZE, seed);
  CALL(rpma_mr_reg(peer, memory, SIZE, usage, mr));
  return memory;
}
