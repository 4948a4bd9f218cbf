#include "property_tests/worker/rig.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "spec/model/send_queue.h"

namespace conformance {

namespace {

constexpr int kSource = RPMA_MR_USAGE_WRITE_SRC | RPMA_MR_USAGE_SEND;
constexpr int kTarget = RPMA_MR_USAGE_WRITE_DST | RPMA_MR_USAGE_READ_SRC |
                        RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY | RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT;
constexpr int kLanding = RPMA_MR_USAGE_READ_DST | RPMA_MR_USAGE_RECV;

}  // namespace

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

rpma_mr_local* Rig::Reg(Side side, rpma_peer* peer, void* memory, std::size_t size,
                        int usage) const {
  rpma_mr_local* mr = nullptr;
  Check(library(side).rpma_mr_reg(peer, memory, size, usage, &mr), "rpma_mr_reg");
  return mr;
}

// What the far end has, this one looks at.
std::unique_ptr<MemoryBlock> Rig::MakeBlock(Side side, std::size_t bytes, std::uint64_t seed) {
  if (!IsFar(side)) return std::make_unique<MemoryBlock>(bytes, seed);
  void* shared = far_->Allocate(bytes);
  if (shared == nullptr) throw SetUpError("regions of " + std::to_string(bytes) + " bytes in all");
  return std::make_unique<MemoryBlock>(bytes, seed, shared);
}

void Rig::Register(Side side, std::uint64_t seed) {
  End& e = end(side);
  e.memory = MakeBlock(side, layout_.total, seed);
  const std::size_t marker_bytes = kOwnReceiveAt + layout_.region;
  e.marker_memory = MakeBlock(side, marker_bytes, seed);
  std::uint8_t* base = e.memory->data();
  const auto reg = [&](rpma_peer* peer, std::size_t at, int usage) {
    return Reg(side, peer, base + at, layout_.region, usage);
  };
  e.d = reg(e.peer, layout_.d, kTarget);
  e.d_registered = true;
  e.odd = reg(e.peer, layout_.odd, kTarget);
  e.nowrite = reg(e.peer, layout_.nowrite, RPMA_MR_USAGE_READ_SRC);
  e.noread = reg(e.peer, layout_.noread, RPMA_MR_USAGE_WRITE_DST);
  e.foreign = reg(e.foreign_peer, layout_.foreign, kTarget);
  e.s = reg(e.peer, layout_.s, kSource);
  e.l = reg(e.peer, layout_.l, kLanding);
  e.r = reg(e.peer, layout_.r, kLanding);
  e.nousage = reg(e.peer, layout_.nousage, RPMA_MR_USAGE_READ_SRC);
  e.foreign_s = reg(e.foreign_peer, layout_.foreign_s, kSource);
  e.foreign_l = reg(e.foreign_peer, layout_.foreign_l, kLanding);
  e.marker = Reg(side, e.peer, e.marker_memory->data(), marker_bytes, kSource | kTarget | kLanding);
}

void Rig::Unregister(Side side) {
  End& e = end(side);
  for (rpma_mr_local** mr : {&e.d, &e.odd, &e.nowrite, &e.noread, &e.foreign, &e.s, &e.l, &e.r,
                             &e.nousage, &e.foreign_s, &e.foreign_l, &e.marker})
    library(side).rpma_mr_dereg(mr);
  for (rpma_mr_remote** mr :
       {&e.to_d, &e.to_odd, &e.to_nowrite, &e.to_noread, &e.to_foreign, &e.to_stale, &e.to_marker})
    library(side).rpma_mr_remote_delete(mr);
}

void Rig::UnregisterAll() {
  Unregister(Side::kClient);
  Unregister(Side::kServer);
  if (far_ == nullptr) return;
  far_->FreeAll();
  far_->Allocate(sizeof(Buffers));  // they stay where they are
}

rpma_mr_remote* Rig::RemoteOf(Side side, const rpma_mr_local* mr) {
  const Library& owner = library(OtherThan(side));
  char* descriptor = buffers_->descriptor.data();
  std::size_t size = 0;
  Check(owner.rpma_mr_get_descriptor_size(mr, &size), "rpma_mr_get_descriptor_size");
  if (size > buffers_->descriptor.size())
    throw SetUpError("rpma_mr_get_descriptor_size gave " + std::to_string(size) +
                     ", the suite has room for " + std::to_string(buffers_->descriptor.size()));
  Check(owner.rpma_mr_get_descriptor(mr, descriptor), "rpma_mr_get_descriptor");
  rpma_mr_remote* remote = nullptr;
  Check(library(side).rpma_mr_remote_from_descriptor(descriptor, size, &remote),
        "rpma_mr_remote_from_descriptor");
  return remote;
}

void Rig::PointAt(Side side) {
  End& e = end(side);
  End& owner = other(side);
  e.to_d = RemoteOf(side, owner.d);
  e.to_odd = RemoteOf(side, owner.odd);
  e.to_nowrite = RemoteOf(side, owner.nowrite);
  e.to_noread = RemoteOf(side, owner.noread);
  e.to_foreign = RemoteOf(side, owner.foreign);
  e.to_marker = RemoteOf(side, owner.marker);
  const Side there = OtherThan(side);
  rpma_mr_local* stale =
      Reg(there, owner.peer, owner.memory->data() + layout_.stale, layout_.region, kTarget);
  e.to_stale = RemoteOf(side, stale);
  Check(library(there).rpma_mr_dereg(&stale), "rpma_mr_dereg");
}

void Rig::Resize(std::size_t region) {
  if (region == layout_.region) return;
  Disconnect();
  if (layout_.region != 0) UnregisterAll();
  layout_ = Layout(region);
  Register(Side::kClient, /*seed=*/1);
  Register(Side::kServer, /*seed=*/2);
  PointAt(Side::kClient);
  PointAt(Side::kServer);
}

void Rig::Dereg(Side side) {
  End& owner = end(side);
  library(side).rpma_mr_dereg(&owner.d);
  owner.d = nullptr;
  owner.d_registered = false;
}

void Rig::RestoreD() {
  for (const Side side : {Side::kClient, Side::kServer}) {
    End& owner = end(side);
    if (owner.d_registered) continue;
    owner.d = Reg(side, owner.peer, owner.memory->data() + layout_.d, layout_.region, kTarget);
    owner.d_registered = true;
    const Side there = OtherThan(side);
    library(there).rpma_mr_remote_delete(&other(side).to_d);
    other(side).to_d = RemoteOf(there, owner.d);
  }
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
