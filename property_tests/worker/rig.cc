#include "property_tests/worker/rig.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "spec/model/send_queue.h"

namespace conformance {

namespace {

constexpr std::size_t kMarkerBytes = 4096;
constexpr int kSource = RPMA_MR_USAGE_WRITE_SRC;
constexpr int kTarget = RPMA_MR_USAGE_WRITE_DST | RPMA_MR_USAGE_READ_SRC;

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
  end.marker_memory = std::make_unique<MemoryBlock>(kMarkerBytes, seed);
  std::uint8_t* base = end.memory->data();
  const std::size_t size = layout_.region;
  end.d = Reg(peer_, base + layout_.d, size, kTarget);
  end.d_registered = true;
  end.odd = Reg(peer_, base + layout_.odd, size, kTarget);
  end.nowrite = Reg(peer_, base + layout_.nowrite, size, RPMA_MR_USAGE_READ_SRC);
  end.foreign = Reg(foreign_peer_, base + layout_.foreign, size, kTarget);
  end.s = Reg(peer_, base + layout_.s, size, kSource);
  end.foreign_s = Reg(foreign_peer_, base + layout_.foreign_s, size, kSource);
  end.marker = Reg(peer_, end.marker_memory->data(), kMarkerBytes,
                   kSource | kTarget | RPMA_MR_USAGE_READ_DST);
}

void Rig::Unregister(End& end) {
  for (rpma_mr_local** mr :
       {&end.d, &end.odd, &end.nowrite, &end.foreign, &end.s, &end.foreign_s, &end.marker})
    library_.rpma_mr_dereg(mr);
  for (rpma_mr_remote** mr :
       {&end.to_d, &end.to_odd, &end.to_nowrite, &end.to_foreign, &end.to_stale, &end.to_marker})
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

void Rig::Connect(std::uint32_t sq, std::uint32_t cq) {
  Disconnect();
  rpma_conn_cfg* cfg = nullptr;
  Check(library_.rpma_conn_cfg_new(&cfg), "rpma_conn_cfg_new");
  Check(library_.rpma_conn_cfg_set_sq_size(cfg, sq), "rpma_conn_cfg_set_sq_size");
  Check(library_.rpma_conn_cfg_set_cq_size(cfg, cq), "rpma_conn_cfg_set_cq_size");
  rpma_conn_req* request = nullptr;
  Check(library_.rpma_conn_req_new(peer_, address_.c_str(), port_.c_str(), cfg, &request),
        "rpma_conn_req_new");
  Check(library_.rpma_conn_req_connect(&request, nullptr, &client_.conn),
        "rpma_conn_req_connect (active)");
  Check(library_.rpma_ep_next_conn_req(ep_, cfg, &request), "rpma_ep_next_conn_req");
  Check(library_.rpma_conn_req_connect(&request, nullptr, &server_.conn),
        "rpma_conn_req_connect (passive)");
  Check(library_.rpma_conn_cfg_delete(&cfg), "rpma_conn_cfg_delete");
  // The client's queue pair becomes ready inside its own call, and only then does the server hear
  // of it.
  AwaitEstablished(client_.conn);
  AwaitEstablished(server_.conn);
  Check(library_.rpma_conn_get_cq(client_.conn, &client_.cq), "rpma_conn_get_cq");
  Check(library_.rpma_conn_get_cq(server_.conn, &server_.cq), "rpma_conn_get_cq");
}

bool Rig::ProbeRead() {
  if (library_.rpma_read == nullptr) return false;
  Connect(/*sq=*/2, /*cq=*/4);
  constexpr std::chrono::seconds kPatience(5);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  bool works = library_.rpma_read(client_.conn, client_.marker, 0, client_.to_marker, 0, 8,
                                  RPMA_F_COMPLETION_ALWAYS, nullptr) == 0;
  ibv_wc wc{};
  while (works && library_.rpma_cq_get_wc(client_.cq, 1, &wc, nullptr) != 0)
    works = std::chrono::steady_clock::now() < deadline;
  Disconnect();
  return works && wc.status == IBV_WC_SUCCESS;
}

void Rig::Disconnect() {
  for (End* e : {&client_, &server_})
    if (e->conn != nullptr) library_.rpma_conn_disconnect(e->conn);
  for (End* e : {&client_, &server_}) {
    if (e->conn != nullptr) library_.rpma_conn_delete(&e->conn);
    e->conn = nullptr;
    e->cq = nullptr;
  }
}

}  // namespace conformance
