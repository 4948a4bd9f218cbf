/* Names the RDMA devices; fails if there is none. */
#include <infiniband/verbs.h>
#include <stdio.h>

int main(void) {
  int count = 0;
  struct ibv_device **list = ibv_get_device_list(&count);
  for (int i = 0; i < count; ++i) puts(ibv_get_device_name(list[i]));
  if (list != NULL) ibv_free_device_list(list);
  return count == 0;
}
