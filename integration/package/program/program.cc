// Asks for the device of 127.0.0.1 with a deleter of its own for the peer.
#include <librpma.h>

#include <iostream>
#include <memory>

namespace {

struct DeletePeer {
  void operator()(rpma_peer* peer) const { rpma_peer_delete(&peer); }
};

}  // namespace

int main() {
  ibv_context* context = nullptr;
  rpma_peer* peer = nullptr;
  int code = rpma_utils_get_ibv_context("127.0.0.1", RPMA_UTIL_IBV_CONTEXT_LOCAL, &context);
  if (code == 0) code = rpma_peer_new(context, &peer);
  const std::unique_ptr<rpma_peer, DeletePeer> owner(peer);
  std::cout << rpma_err_2str(code) << '\n';
  return code != 0 ? 1 : 0;
}
