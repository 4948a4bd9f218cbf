/* loading LIBRARY N: opens and closes the library, which has to call openlog(3) and closelog(3) N
 * times each, and leave the program's descriptors as they were. */
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static int openlogs, closelogs;

/* In place of libc's, for the whole program. */
void openlog(const char *ident, int option, int facility);
void closelog(void);

void openlog(const char *ident, int option, int facility) {
  (void)ident, (void)option, (void)facility;
  ++openlogs;
}

void closelog(void) { ++closelogs; }

static int count_descriptors(void) {
  int count = 0;
  DIR *directory = opendir("/proc/self/fd");
  if (directory == NULL) return -1;
  while (readdir(directory) != NULL) ++count;
  closedir(directory);
  return count;
}

int main(int argc, char **argv) {
  const int before = count_descriptors();
  const int expected = argc == 3 ? atoi(argv[2]) : -1;
  void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) return fprintf(stderr, "cannot load: %s\n", dlerror()), 1;
  dlclose(library);
  printf("openlog %d, closelog %d, descriptors %d and %d\n", openlogs, closelogs, before,
         count_descriptors());
  return openlogs != expected || closelogs != expected || before != count_descriptors();
}
