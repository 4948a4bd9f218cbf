#include "property_tests/worker/rig.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "spec/model/send_queue.h"

namespace conformance {

namespace {

constexpr int kSource = RPMA_MR_USAGE_WRITE_SRC | RPMA_MR_USAGE_SEND;
constexpr int kTarget = RPMA_MR_USAGE_WRITE_DST | RPMA_MR_USAGE_READ_SRC |
                        RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY | RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT;
constexpr int kLanding = RPMA_MR_USAGE_READ_DST | RPMA_MR_USAGE_RECV;

}  // namespace

Rig::Rig(const Library& library, std::string address)
    : library_(library), address_(std::move(address)) {
  Check(
      library_.rpma_utils_get_ibv_context(address_.c_str(), RPMA_UTIL_IBV_CONTEXT_LOCAL, &context_),
      "rpma_utils_get_ibv_context");
  Check(library_.rpma_peer_new(context_, &peer_), "rpma_peer_new");
  Check(library_.rpma_peer_new(context_, &foreign_peer_), "rpma_peer_new");
  ep_ = Listen(port_);
}

Rig::~Rig() {
  Disconnect();
  if (layout_.region != 0) {
    Unregister(client_);
    Unregister(server_);
  }
  library_.rpma_ep_shutdown(&ep_);
  library_.rpma_peer_delete(&foreign_peer_);
  library_.rpma_peer_delete(&peer_);
}

void Rig::Check(int code, const char* function) const {
  const int left = errno;
  if (code == 0) return;
  std::string sentence = "set-up on address " + address_ + ": " + function + " returned " +
                         spec::model::NameOfCode(code);
  if (code == RPMA_E_PROVIDER && left != 0)
    sentence += ", errno is " + std::to_string(left) + " (" + std::strerror(left) + ")";
  throw SetUpError(sentence);
}

rpma_ep* Rig::Listen(std::string& port) const {
  constexpr int kAttempts = 20;
  int code = 0;
  for (int i = 0; i < kAttempts; ++i) {
    port = std::to_string(20000 + (getpid() * 7 + i * 101) % 12000);
    rpma_ep* ep = nullptr;
    code = library_.rpma_ep_listen(peer_, address_.c_str(), port.c_str(), &ep);
    if (code == 0) return ep;
  }
  Check(code, "rpma_ep_listen");
  return nullptr;
}

std::string Rig::FreePort() {
  std::string port;
  rpma_ep* ep = Listen(port);
  library_.rpma_ep_shutdown(&ep);
  return port;
}

rpma_mr_local* Rig::Reg(rpma_peer* peer, void* memory, std::size_t size, int usage) const {
  rpma_mr_local* mr = nullptr;
  Check(library_.rpma_mr_reg(peer, memory, size, usage, &mr), "rpma_mr_reg");
  return mr;
}

void Rig::Register(End& end, std::uint64_t seed) {
  end.memory = std::make_unique<MemoryBlock>(layout_.total, seed);
  const std::size_t marker_bytes = kOwnReceiveAt + layout_.region;
  end.marker_memory = std::make_unique<MemoryBlock>(marker_bytes, seed);
  std::uint8_t* base = end.memory->data();
  const std::size_t size = layout_.region;
  end.d = Reg(peer_, base + layout_.d, size, kTarget);
  end.d_registered = true;
  end.odd = Reg(peer_, base + layout_.odd, size, kTarget);
  end.nowrite = Reg(peer_, base + layout_.nowrite, size, RPMA_MR_USAGE_READ_SRC);
  end.noread = Reg(peer_, base + layout_.noread, size, RPMA_MR_USAGE_WRITE_DST);
  end.foreign = Reg(foreign_peer_, base + layout_.foreign, size, kTarget);
  end.s = Reg(peer_, base + layout_.s, size, kSource);
  end.l = Reg(peer_, base + layout_.l, size, kLanding);
  end.r = Reg(peer_, base + layout_.r, size, kLanding);
  end.nousage = Reg(peer_, base + layout_.nousage, size, RPMA_MR_USAGE_READ_SRC);
  end.foreign_s = Reg(foreign_peer_, base + layout_.foreign_s, size, kSource);
  end.foreign_l = Reg(foreign_peer_, base + layout_.foreign_l, size, kLanding);
  end.marker = Reg(peer_, end.marker_memory->data(), marker_bytes, kSource | kTarget | kLanding);
}

void Rig::Unregister(End& end) {
  for (rpma_mr_local** mr :
       {&end.d, &end.odd, &end.nowrite, &end.noread, &end.foreign, &end.s, &end.l, &end.r,
        &end.nousage, &end.foreign_s, &end.foreign_l, &end.marker})
    library_.rpma_mr_dereg(mr);
  for (rpma_mr_remote** mr : {&end.to_d, &end.to_odd, &end.to_nowrite, &end.to_noread,
                              &end.to_foreign, &end.to_stale, &end.to_marker})
    library_.rpma_mr_remote_delete(mr);
}

rpma_mr_remote* Rig::RemoteOf(const rpma_mr_local* mr) const {
  std::size_t size = 0;
  Check(library_.rpma_mr_get_descriptor_size(mr, &size), "rpma_mr_get_descriptor_size");
  std::vector<char> descriptor(size);
  Check(library_.rpma_mr_get_descriptor(mr, descriptor.data()), "rpma_mr_get_descriptor");
  rpma_mr_remote* remote = nullptr;
  Check(library_.rpma_mr_remote_from_descriptor(descriptor.data(), size, &remote),
        "rpma_mr_remote_from_descriptor");
  return remote;
}

void Rig::PointAt(End& end, End& owner) {
  end.to_d = RemoteOf(owner.d);
  end.to_odd = RemoteOf(owner.odd);
  end.to_nowrite = RemoteOf(owner.nowrite);
  end.to_noread = RemoteOf(owner.noread);
  end.to_foreign = RemoteOf(owner.foreign);
  end.to_marker = RemoteOf(owner.marker);
  rpma_mr_local* stale = Reg(peer_, owner.memory->data() + layout_.stale, layout_.region, kTarget);
  end.to_stale = RemoteOf(stale);
  Check(library_.rpma_mr_dereg(&stale), "rpma_mr_dereg");
}

void Rig::Resize(std::size_t region) {
  if (region == layout_.region) return;
  Disconnect();
  if (layout_.region != 0) {
    Unregister(client_);
    Unregister(server_);
  }
  layout_ = Layout(region);
  Register(client_, /*seed=*/1);
  Register(server_, /*seed=*/2);
  PointAt(client_, server_);
  PointAt(server_, client_);
}

void Rig::Dereg(Side side) {
  End& owner = end(side);
  library_.rpma_mr_dereg(&owner.d);
  owner.d = nullptr;
  owner.d_registered = false;
}

void Rig::RestoreD() {
  for (const Side side : {Side::kClient, Side::kServer}) {
    End& owner = end(side);
    if (owner.d_registered) continue;
    owner.d = Reg(peer_, owner.memory->data() + layout_.d, layout_.region, kTarget);
    owner.d_registered = true;
    library_.rpma_mr_remote_delete(&other(side).to_d);
    other(side).to_d = RemoteOf(owner.d);
  }
}

void Rig::AwaitEstablished(rpma_conn* conn) const {
  rpma_conn_event event = RPMA_CONN_UNDEFINED;
  Check(library_.rpma_conn_next_event(conn, &event), "rpma_conn_next_event");
  if (event != RPMA_CONN_ESTABLISHED)
    throw SetUpError("set-up on address " + address_ + ": rpma_conn_next_event gave event " +
                     std::to_string(static_cast<int>(event)) +
                     ", connecting needs RPMA_CONN_ESTABLISHED (0)");
}

void Rig::Configure(const Config& config, rpma_conn_cfg* cfg) {
  Check(library_.rpma_conn_cfg_set_sq_size(cfg, config.sq), "rpma_conn_cfg_set_sq_size");
  Check(library_.rpma_conn_cfg_set_cq_size(cfg, config.cq), "rpma_conn_cfg_set_cq_size");
  if (library_.rpma_conn_cfg_set_rq_size != nullptr)
    Check(library_.rpma_conn_cfg_set_rq_size(cfg, config.rq), "rpma_conn_cfg_set_rq_size");
  if (config.rcq > 0 && library_.rpma_conn_cfg_set_rcq_size != nullptr)
    Check(library_.rpma_conn_cfg_set_rcq_size(cfg, config.rcq), "rpma_conn_cfg_set_rcq_size");
  if (config.channel && library_.rpma_conn_cfg_set_compl_channel != nullptr)
    Check(library_.rpma_conn_cfg_set_compl_channel(cfg, true), "rpma_conn_cfg_set_compl_channel");
  if (config.srq == 0) return;
  ShareQueue(config);
  Check(library_.rpma_conn_cfg_set_srq(cfg, srq_), "rpma_conn_cfg_set_srq");
}

void Rig::ShareQueue(const Config& config) {
  rpma_srq_cfg* cfg = nullptr;
  Check(library_.rpma_srq_cfg_new(&cfg), "rpma_srq_cfg_new");
  Check(library_.rpma_srq_cfg_set_rq_size(cfg, config.srq), "rpma_srq_cfg_set_rq_size");
  Check(library_.rpma_srq_cfg_set_rcq_size(cfg, config.srcq), "rpma_srq_cfg_set_rcq_size");
  const int code = library_.rpma_srq_new(peer_, cfg, &srq_);
  library_.rpma_srq_cfg_delete(&cfg);
  Check(code, "rpma_srq_new");
  Check(library_.rpma_srq_get_rcq(srq_, &shared_rcq_), "rpma_srq_get_rcq");
}

// What the connection has.
void Rig::Learn(End& end) const {
  Check(library_.rpma_conn_get_cq(end.conn, &end.cq), "rpma_conn_get_cq");
  if (library_.rpma_conn_get_rcq != nullptr)
    Check(library_.rpma_conn_get_rcq(end.conn, &end.rcq), "rpma_conn_get_rcq");
  if (library_.rpma_conn_get_qp_num != nullptr)
    Check(library_.rpma_conn_get_qp_num(end.conn, &end.qp_num), "rpma_conn_get_qp_num");
}

void Rig::Connect(const Config& config, const OnRequest& on_request) {
  Disconnect();
  rpma_conn_cfg* cfg = nullptr;
  Check(library_.rpma_conn_cfg_new(&cfg), "rpma_conn_cfg_new");
  Configure(config, cfg);
  rpma_conn_req* request = nullptr;
  Check(library_.rpma_conn_req_new(peer_, address_.c_str(), port_.c_str(), cfg, &request),
        "rpma_conn_req_new");
  if (on_request) on_request(Side::kClient, request);
  Check(library_.rpma_conn_req_connect(&request, nullptr, &client_.conn),
        "rpma_conn_req_connect (active)");
  Check(library_.rpma_ep_next_conn_req(ep_, cfg, &request), "rpma_ep_next_conn_req");
  if (on_request) on_request(Side::kServer, request);
  Check(library_.rpma_conn_req_connect(&request, nullptr, &server_.conn),
        "rpma_conn_req_connect (passive)");
  Check(library_.rpma_conn_cfg_delete(&cfg), "rpma_conn_cfg_delete");
  // The client's queue pair becomes ready inside its own call, and only then does the server hear
  // of it.
  AwaitEstablished(client_.conn);
  AwaitEstablished(server_.conn);
  Learn(client_);
  Learn(server_);
}

bool Rig::Completes(rpma_cq* cq) const {
  constexpr std::chrono::seconds kPatience(5);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  ibv_wc wc{};
  while (library_.rpma_cq_get_wc(cq, 1, &wc, nullptr) != 0)
    if (std::chrono::steady_clock::now() > deadline) return false;
  return wc.status == IBV_WC_SUCCESS;
}

bool Rig::ProbeRead() {
  if (library_.rpma_read == nullptr) return false;
  Connect(Config());
  const bool works = library_.rpma_read(client_.conn, client_.marker, 0, client_.to_marker, 0, 8,
                                        RPMA_F_COMPLETION_ALWAYS, nullptr) == 0 &&
                     Completes(client_.cq);
  Disconnect();
  return works;
}

bool Rig::ProbeMessage() {
  if (library_.rpma_send == nullptr || library_.rpma_recv == nullptr) return false;
  Connect(Config());
  const bool works = library_.rpma_recv(server_.conn, server_.marker, kOwnReceiveAt, layout_.region,
                                        client_.conn) == 0 &&
                     library_.rpma_send(client_.conn, client_.marker, 16, 8,
                                        RPMA_F_COMPLETION_ALWAYS, client_.conn) == 0 &&
                     Completes(client_.cq) && Completes(server_.cq) &&
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
  if (e.conn == nullptr || e.direct_write == supported) return e.conn != nullptr;
  if (library_.rpma_peer_cfg_new == nullptr || library_.rpma_peer_cfg_delete == nullptr ||
      library_.rpma_peer_cfg_set_direct_write_to_pmem == nullptr ||
      library_.rpma_conn_apply_remote_peer_cfg == nullptr)
    return false;
  rpma_peer_cfg* cfg = nullptr;
  Check(library_.rpma_peer_cfg_new(&cfg), "rpma_peer_cfg_new");
  Check(library_.rpma_peer_cfg_set_direct_write_to_pmem(cfg, supported),
        "rpma_peer_cfg_set_direct_write_to_pmem");
  Check(library_.rpma_conn_apply_remote_peer_cfg(e.conn, cfg), "rpma_conn_apply_remote_peer_cfg");
  library_.rpma_peer_cfg_delete(&cfg);
  e.direct_write = supported;
  return true;
}

void Rig::Disconnect() {
  for (End* e : {&client_, &server_})
    if (e->conn != nullptr) library_.rpma_conn_disconnect(e->conn);
  for (End* e : {&client_, &server_}) {
    if (e->conn != nullptr) library_.rpma_conn_delete(&e->conn);
    e->conn = nullptr;
    e->cq = e->rcq = nullptr;
    e->direct_write = false;
  }
  if (srq_ != nullptr) library_.rpma_srq_delete(&srq_);
  srq_ = nullptr;
  shared_rcq_ = nullptr;
}

}  // namespace conformance
