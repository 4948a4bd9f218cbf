/* For C programs on librpma that check what each call does, and end with status 1 and a line when
 * one does not. */
#pragma once

#include <dlfcn.h>
#include <librpma.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void check(int good, const char *what) {
  if (good) return;
  fprintf(stderr, "failed: %s\n", what);
  exit(1);
}
#define CALL(call) check((call) == 0, #call)
#define EXPECT(condition) check((condition), #condition)

/* Which librpma the loader has found. By another path to the same file it may have come. */
static inline void expect_library(const char *expected) {
  struct link_map *map;
  char actual_path[4096], expected_path[4096];
  void *handle = dlopen("librpma.so.0", RTLD_NOW | RTLD_NOLOAD);
  EXPECT(handle != NULL);
  CALL(dlinfo(handle, RTLD_DI_LINKMAP, &map));
  EXPECT(realpath(map->l_name, actual_path) != NULL);
  EXPECT(realpath(expected, expected_path) != NULL);
  check(strcmp(actual_path, expected_path) == 0, actual_path);
  dlclose(handle);
}

static inline void fill(char *memory, size_t size, int seed) {
  for (size_t i = 0; i < size; ++i) memory[i] = (char)(i * 7 + i / 256 + (size_t)seed);
}

static inline void expect_event(struct rpma_conn *conn, enum rpma_conn_event expected) {
  enum rpma_conn_event event = RPMA_CONN_UNDEFINED;
  CALL(rpma_conn_next_event(conn, &event));
  check(event == expected, rpma_utils_conn_event_2str(event));
}

static inline void expect_completion(struct rpma_cq *cq, const void *op_context) {
  struct ibv_wc wc;
  int got = 0;
  CALL(rpma_cq_wait(cq));
  CALL(rpma_cq_get_wc(cq, 1, &wc, &got));
  EXPECT(got == 1);
  check(wc.status == IBV_WC_SUCCESS, ibv_wc_status_str(wc.status));
  EXPECT(wc.wr_id == (uintptr_t)op_context);
}
