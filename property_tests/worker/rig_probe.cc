// What the library and the NIC are able to do at all.
#include <chrono>
#include <cstring>

#include "property_tests/worker/rig.h"

namespace conformance {

bool Rig::Completes(Side side) {
  constexpr std::chrono::seconds kPatience(5);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  ibv_wc& wc = buffers_->wcs[0];
  wc = {};
  while (library(side).rpma_cq_get_wc(end(side).cq, 1, &wc, nullptr) != 0)
    if (std::chrono::steady_clock::now() > deadline) return false;
  return wc.status == IBV_WC_SUCCESS;
}

bool Rig::ProbeRead() {
  if (library_.rpma_read == nullptr) return false;
  Connect(Config());
  const bool works = library_.rpma_read(client_.conn, client_.marker, 0, client_.to_marker, 0, 8,
                                        RPMA_F_COMPLETION_ALWAYS, nullptr) == 0 &&
                     Completes(Side::kClient);
  Disconnect();
  return works;
}

bool Rig::ProbeMessage() {
  if (library_.rpma_send == nullptr || library_.rpma_recv == nullptr) return false;
  Connect(Config());
  const bool works = library(Side::kServer)
                             .rpma_recv(server_.conn, server_.marker, kOwnReceiveAt, layout_.region,
                                        client_.conn) == 0 &&
                     library_.rpma_send(client_.conn, client_.marker, 16, 8,
                                        RPMA_F_COMPLETION_ALWAYS, client_.conn) == 0 &&
                     Completes(Side::kClient) && Completes(Side::kServer) &&
                     std::memcmp(client_.marker_memory->data() + 16,
                                 server_.marker_memory->data() + kOwnReceiveAt, 8) == 0;
  Disconnect();
  server_.marker_memory->Restore();
  return works;
}

bool Rig::ProbeSharedQueue() {
  const bool there =
      library_.rpma_srq_cfg_new != nullptr && library_.rpma_srq_cfg_set_rq_size != nullptr &&
      library_.rpma_srq_cfg_set_rcq_size != nullptr && library_.rpma_srq_cfg_delete != nullptr &&
      library_.rpma_srq_new != nullptr && library_.rpma_srq_delete != nullptr &&
      library_.rpma_srq_get_rcq != nullptr && library_.rpma_conn_cfg_set_srq != nullptr;
  if (!there) return false;
  Config config;
  config.srq = 4;
  try {
    Connect(config);
  } catch (const SetUpError&) {
    Disconnect();
    return false;
  }
  Disconnect();
  return true;
}

}  // namespace conformance
