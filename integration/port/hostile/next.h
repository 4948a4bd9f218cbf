/* A hostile port has one function of its own; the others, and what this one does when it behaves,
 * are those of the librpma that it is linked to.
 */
#pragma once

#include <dlfcn.h>
#include <librpma.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Stores the address of the function behind ours of that name in `*function`. */
static inline void find_next(void *function, const char *name) {
  void *symbol = dlsym(RTLD_NEXT, name);
  if (symbol == NULL) abort();
  memcpy(function, &symbol, sizeof symbol);
}
