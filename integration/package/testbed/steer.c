/* Loads whatever libibverbs there is and asks the fake for its manual schedule. */
#include <dlfcn.h>
#include <fakenic.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  int (*set_schedule)(enum fakenic_schedule);
  void *library = dlopen("libibverbs.so.1", RTLD_NOW);
  void *symbol = library != NULL ? dlsym(library, "fakenic_set_schedule") : NULL;
  if (symbol == NULL) {
    puts("this libibverbs.so.1 is not the fake");
    return 1;
  }
  memcpy(&set_schedule, &symbol, sizeof(symbol));
  return set_schedule(FAKENIC_MANUAL);
}
