/* Registers memory on the device of 127.0.0.1 and prints the size that the descriptor of it says.
 */
#include <librpma.h>

static int size_of_remote(const struct rpma_mr_local *local, size_t *size) {
  char descriptor[64];
  size_t descriptor_size;
  struct rpma_mr_remote *remote = NULL;
  int code = rpma_mr_get_descriptor_size(local, &descriptor_size);
  if (code == 0) code = rpma_mr_get_descriptor(local, descriptor);
  if (code == 0) code = rpma_mr_remote_from_descriptor(descriptor, descriptor_size, &remote);
  if (code == 0) code = rpma_mr_remote_get_size(remote, size);
  if (code == 0) code = rpma_mr_remote_delete(&remote);
  return code;
}

int main(void) {
  static char memory[4096];
  struct ibv_context *context = NULL;
  struct rpma_peer *peer = NULL;
  struct rpma_mr_local *mr = NULL;
  size_t size = 0;
  int code = rpma_utils_get_ibv_context("127.0.0.1", RPMA_UTIL_IBV_CONTEXT_LOCAL, &context);
  if (code == 0) code = rpma_peer_new(context, &peer);
  if (code == 0) code = rpma_mr_reg(peer, memory, sizeof(memory), RPMA_MR_USAGE_WRITE_DST, &mr);
  if (code == 0) code = size_of_remote(mr, &size);
  if (code == 0) code = rpma_mr_dereg(&mr);
  if (code == 0) code = rpma_peer_delete(&peer);
  printf("%s, %zu bytes\n", rpma_err_2str(code), size);
  return code != 0;
}
