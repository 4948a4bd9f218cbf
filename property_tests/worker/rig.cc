#include "property_tests/worker/rig.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "spec/model/send_queue.h"

namespace conformance {

Rig::Rig(const Library& library, const std::string& address, FarEnd* far, const Library* at_far)
    : library_(library), far_(far), at_far_(at_far) {
  if (far_ == nullptr) {
    own_buffers_ = std::make_unique<Buffers>();
    buffers_ = own_buffers_.get();
  } else {
    far_->FreeAll();
    buffers_ = new (far_->Allocate(sizeof(Buffers))) Buffers;
  }
  if (address.size() >= buffers_->address.size())
    throw SetUpError("set-up on address " + address + ": too long");
  address.copy(buffers_->address.data(), address.size());
  MakePeers(Side::kClient);
  MakePeers(Side::kServer);
  ep_ = Listen(Side::kServer);
}

Rig::~Rig() {
  Disconnect();
  if (layout_.region != 0) UnregisterAll();
  library(Side::kServer).rpma_ep_shutdown(&ep_);
  DeletePeers(Side::kServer);
  DeletePeers(Side::kClient);
}

// Two ends in one process share them.
void Rig::MakePeers(Side side) {
  End& e = end(side);
  const Library& lib = library(side);
  if (far_ == nullptr && side == Side::kServer) {
    e.peer = client_.peer;
    e.foreign_peer = client_.foreign_peer;
    return;
  }
  Check(lib.rpma_utils_get_ibv_context(buffers_->address.data(), RPMA_UTIL_IBV_CONTEXT_LOCAL,
                                       &e.context),
        "rpma_utils_get_ibv_context");
  Check(lib.rpma_peer_new(e.context, &e.peer), "rpma_peer_new");
  Check(lib.rpma_peer_new(e.context, &e.foreign_peer), "rpma_peer_new");
}

void Rig::DeletePeers(Side side) {
  if (far_ == nullptr && side == Side::kServer) return;
  library(side).rpma_peer_delete(&end(side).foreign_peer);
  library(side).rpma_peer_delete(&end(side).peer);
}

void Rig::Check(int code, const char* function) const {
  const int left = errno;
  if (code == 0) return;
  std::string sentence = std::string("set-up on address ") + buffers_->address.data() + ": " +
                         function + " returned " + spec::model::NameOfCode(code);
  if (code == RPMA_E_PROVIDER && left != 0)
    sentence += ", errno is " + std::to_string(left) + " (" + std::strerror(left) + ")";
  throw SetUpError(sentence);
}

rpma_ep* Rig::Listen(Side side) {
  constexpr int kAttempts = 20;
  int code = 0;
  for (int i = 0; i < kAttempts; ++i) {
    const std::string port = std::to_string(20000 + (getpid() * 7 + i * 101) % 12000);
    buffers_->port = {};
    port.copy(buffers_->port.data(), port.size());
    rpma_ep* ep = nullptr;
    code = library(side).rpma_ep_listen(end(side).peer, buffers_->address.data(),
                                        buffers_->port.data(), &ep);
    if (code == 0) return ep;
  }
  Check(code, "rpma_ep_listen");
  return nullptr;
}

std::string Rig::FreePort() {
  const std::array<char, 8> own = buffers_->port;
  rpma_ep* ep = Listen(Side::kClient);
  library(Side::kClient).rpma_ep_shutdown(&ep);
  return std::exchange(buffers_->port, own).data();
}

bool Rig::Readable(Side side, int fd) const {
  struct Look {
    pollfd ready;
    bool readable = false;
    void operator()() { readable = poll(&ready, 1, 0) == 1; }
  } look{{fd, POLLIN, 0}};
  if (IsFar(side)) return far_->Do(look).readable;
  look();
  return look.readable;
}

void Rig::AwaitEstablished(Side side) {
  rpma_conn_event event = RPMA_CONN_UNDEFINED;
  Check(library(side).rpma_conn_next_event(end(side).conn, &event), "rpma_conn_next_event");
  if (event != RPMA_CONN_ESTABLISHED)
    throw SetUpError(std::string("set-up on address ") + buffers_->address.data() +
                     ": rpma_conn_next_event gave event " +
                     std::to_string(static_cast<int>(event)) +
                     ", connecting needs RPMA_CONN_ESTABLISHED (0)");
}

rpma_conn_cfg* Rig::Configure(Side side, const Config& config) {
  const Library& lib = library(side);
  rpma_conn_cfg* cfg = nullptr;
  Check(lib.rpma_conn_cfg_new(&cfg), "rpma_conn_cfg_new");
  Check(lib.rpma_conn_cfg_set_sq_size(cfg, config.sq), "rpma_conn_cfg_set_sq_size");
  Check(lib.rpma_conn_cfg_set_cq_size(cfg, config.cq), "rpma_conn_cfg_set_cq_size");
  if (lib.rpma_conn_cfg_set_rq_size != nullptr)
    Check(lib.rpma_conn_cfg_set_rq_size(cfg, config.rq), "rpma_conn_cfg_set_rq_size");
  if (config.rcq > 0 && lib.rpma_conn_cfg_set_rcq_size != nullptr)
    Check(lib.rpma_conn_cfg_set_rcq_size(cfg, config.rcq), "rpma_conn_cfg_set_rcq_size");
  if (config.channel && lib.rpma_conn_cfg_set_compl_channel != nullptr)
    Check(lib.rpma_conn_cfg_set_compl_channel(cfg, true), "rpma_conn_cfg_set_compl_channel");
  if (config.srq == 0) return cfg;
  MakeSharedQueue(side, config);
  Check(lib.rpma_conn_cfg_set_srq(cfg, end(side).srq), "rpma_conn_cfg_set_srq");
  return cfg;
}

// Two ends in one process have the one queue.
void Rig::MakeSharedQueue(Side side, const Config& config) {
  End& e = end(side);
  if (far_ == nullptr && side == Side::kServer) {
    e.srq = client_.srq;
    e.shared_rcq = client_.shared_rcq;
    return;
  }
  const Library& lib = library(side);
  rpma_srq_cfg* cfg = nullptr;
  Check(lib.rpma_srq_cfg_new(&cfg), "rpma_srq_cfg_new");
  Check(lib.rpma_srq_cfg_set_rq_size(cfg, config.srq), "rpma_srq_cfg_set_rq_size");
  Check(lib.rpma_srq_cfg_set_rcq_size(cfg, config.srcq), "rpma_srq_cfg_set_rcq_size");
  const int code = lib.rpma_srq_new(e.peer, cfg, &e.srq);
  lib.rpma_srq_cfg_delete(&cfg);
  Check(code, "rpma_srq_new");
  Check(lib.rpma_srq_get_rcq(e.srq, &e.shared_rcq), "rpma_srq_get_rcq");
}

// What the connection has.
void Rig::Learn(Side side) {
  const Library& lib = library(side);
  End& e = end(side);
  Check(lib.rpma_conn_get_cq(e.conn, &e.cq), "rpma_conn_get_cq");
  if (lib.rpma_conn_get_rcq != nullptr)
    Check(lib.rpma_conn_get_rcq(e.conn, &e.rcq), "rpma_conn_get_rcq");
  if (lib.rpma_conn_get_qp_num != nullptr)
    Check(lib.rpma_conn_get_qp_num(e.conn, &e.qp_num), "rpma_conn_get_qp_num");
}

void Rig::Connect(const Config& config, const OnRequest& on_request) {
  const Library& active = library(Side::kClient);
  const Library& passive = library(Side::kServer);
  Disconnect();
  rpma_conn_cfg* cfg = Configure(Side::kClient, config);
  rpma_conn_req* request = nullptr;
  Check(active.rpma_conn_req_new(client_.peer, buffers_->address.data(), buffers_->port.data(), cfg,
                                 &request),
        "rpma_conn_req_new");
  Check(active.rpma_conn_cfg_delete(&cfg), "rpma_conn_cfg_delete");
  if (on_request) on_request(Side::kClient, request);
  Check(active.rpma_conn_req_connect(&request, nullptr, &client_.conn),
        "rpma_conn_req_connect (active)");
  cfg = Configure(Side::kServer, config);
  Check(passive.rpma_ep_next_conn_req(ep_, cfg, &request), "rpma_ep_next_conn_req");
  Check(passive.rpma_conn_cfg_delete(&cfg), "rpma_conn_cfg_delete");
  if (on_request) on_request(Side::kServer, request);
  Check(passive.rpma_conn_req_connect(&request, nullptr, &server_.conn),
        "rpma_conn_req_connect (passive)");
  // The client's queue pair becomes ready inside its own call, and only then does the server hear
  // of it.
  AwaitEstablished(Side::kClient);
  AwaitEstablished(Side::kServer);
  Learn(Side::kClient);
  Learn(Side::kServer);
}

bool Rig::TellDirectWrite(Side side, bool supported) {
  End& e = end(side);
  const Library& lib = library(side);
  if (e.conn == nullptr || e.direct_write == supported) return e.conn != nullptr;
  if (lib.rpma_peer_cfg_new == nullptr || lib.rpma_peer_cfg_delete == nullptr ||
      lib.rpma_peer_cfg_set_direct_write_to_pmem == nullptr ||
      lib.rpma_conn_apply_remote_peer_cfg == nullptr)
    return false;
  rpma_peer_cfg* cfg = nullptr;
  Check(lib.rpma_peer_cfg_new(&cfg), "rpma_peer_cfg_new");
  Check(lib.rpma_peer_cfg_set_direct_write_to_pmem(cfg, supported),
        "rpma_peer_cfg_set_direct_write_to_pmem");
  Check(lib.rpma_conn_apply_remote_peer_cfg(e.conn, cfg), "rpma_conn_apply_remote_peer_cfg");
  lib.rpma_peer_cfg_delete(&cfg);
  e.direct_write = supported;
  return true;
}

void Rig::Disconnect() {
  for (const Side side : {Side::kClient, Side::kServer})
    if (end(side).conn != nullptr) library(side).rpma_conn_disconnect(end(side).conn);
  for (const Side side : {Side::kClient, Side::kServer}) {
    End& e = end(side);
    if (e.conn != nullptr) library(side).rpma_conn_delete(&e.conn);
    e.conn = nullptr;
    e.cq = e.rcq = nullptr;
    e.direct_write = false;
  }
  if (far_ == nullptr) server_.srq = nullptr;  // it is the client's
  for (const Side side : {Side::kClient, Side::kServer}) {
    End& e = end(side);
    if (e.srq != nullptr) library(side).rpma_srq_delete(&e.srq);
    e.srq = nullptr;
    e.shared_rcq = nullptr;
  }
}

}  // namespace conformance
