// Taking part in a fabric: packets, connections, ports and addresses.
#include "wire/network.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "cm/port_rules.h"
#include "wire/directory.h"

namespace fakenic {

namespace {

// Whether it runs, or would if it could: neither stopped nor dead.
bool MayRun(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string stat;
  std::getline(in, stat);
  const size_t name_ends = stat.rfind(") ");
  return name_ends != std::string::npos &&
         std::string("RSD").find(stat[name_ends + 2]) != std::string::npos;
}

}  // namespace

Network::Network(NetworkSettings settings, Fabric& fabric, ConnectionManager& cm, Clock& clock)
    : settings_(std::move(settings)), fabric_(fabric), cm_(cm), clock_(clock) {
  doorbell_ = File(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

Network::~Network() = default;

void Network::Ring() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(doorbell_.get(), &one, sizeof one);
}

bool Network::Failed(const std::string& why) {
  failed_ = true;
  std::fprintf(stderr, "fakenic: %s; this process reaches no other\n", why.c_str());
  return false;
}

bool Network::Join() {
  if (joined_) return true;
  if (!on()) return false;
  std::string why;
  if (!doorbell_.open()) return Failed(std::string("eventfd: ").append(strerror(errno)));
  directory_ = OpenFabricDirectory(settings_.directory, why);
  if (!directory_.open()) return Failed(why);
  registry_ = Registry::Open(directory_.get(), why);
  if (registry_ == nullptr || !registry_->Join(settings_.host, settings_.addresses, why)) {
    return Failed(why);
  }
  cm_.StartFreePortsAfter(static_cast<uint32_t>(registry_->self() * 101));
  return joined_ = true;
}

// The machine itself is the first; to know that nobody has to be asked.
uint32_t Network::HostNumber() {
  return settings_.host.empty() || !Join() ? 1 : registry_->host() + 1;
}

bool Network::HasHost(uint32_t number) {
  if (number == HostNumber()) return true;
  return Join() && (number == 1 || !registry_->HostName(number - 1).empty());
}

uint32_t Network::NumberOfHost(const Address& address) {
  if (!Join()) return IsLocal(address) ? HostNumber() : 0;
  const auto host = HostOf(address);
  return host ? *host + 1 : 0;
}

uint32_t Network::NumberOfHost(uint32_t qp_num) {
  if (fabric_.device().OwnsQpNumber(qp_num)) return HostNumber();
  const uint32_t block = qp_num >> QpNumbers::kBlockBits;
  if (block >= registry::kBlocks || !Join()) return 0;
  const ProcessId owner = registry_->OwnerOfBlock(block);
  return owner == 0 ? 0 : registry_->HostOf(owner) + 1;
}

std::optional<uint32_t> Network::ClaimBlock() {
  return Join() ? registry_->ClaimBlock() : std::nullopt;
}

// The link that packets to this process take; made if there is none. Null: it has ended.
Link* Network::LinkTo(ProcessId process) {
  const auto known = link_to_.find(process);
  if (known != link_to_.end()) return known->second;
  if (ended_.contains(process) || process == registry_->self()) return nullptr;
  return Connect(process);
}

// The owner of a queue pair number is asked for once, and again when its link has ended.
Link* Network::LinkToQp(uint32_t num) {
  const uint32_t block = num >> QpNumbers::kBlockBits;
  if (block >= registry::kBlocks) return nullptr;
  Link*& link = link_of_block_[block];
  if (link != nullptr) return link;
  if (!Join()) return nullptr;
  const ProcessId owner = registry_->OwnerOfBlock(block);
  return owner == 0 ? nullptr : link = LinkTo(owner);
}

bool Network::Send(const PacketHeader& header, std::span<const Sge> payload) {
  Link* link = LinkToQp(header.to_qp);
  return link != nullptr && SendVia(*link, header, payload);
}

bool Network::IsStarved(uint32_t qp_num) {
  const uint32_t block = qp_num >> QpNumbers::kBlockBits;
  const Link* link = block < registry::kBlocks ? link_of_block_[block] : nullptr;
  return link != nullptr && !link->all_read() && MayRun(link->peer_pid) &&
         FaultTo(link->peer_host).state == registry::LinkState::kUp;
}

bool Network::SendVia(Link& link, const PacketHeader& header, std::span<const Sge> payload) {
  const Registry::Fault fault = FaultTo(link.peer_host);
  if (fault.state == registry::LinkState::kCut) [[unlikely]] {
    return false;
  }
  if (fault.state == registry::LinkState::kSlow || !delayed_.empty()) [[unlikely]] {
    return Delay(link.peer, fault.delay_us, header, payload);
  }
  return SendNow(link, header, payload);
}

bool Network::SendNow(Link& link, const PacketHeader& header, std::span<const Sge> payload) {
  if (!link.Send(header, payload)) return false;
  ++sent_;
  return true;
}

// What is wrong with the way to this host; mostly nothing, and then this is one load.
Registry::Fault Network::FaultTo(uint32_t host) {
  const uint32_t version = registry_->faults_version();
  if (version != faults_version_) [[unlikely]] {
    faults_version_ = version;
    faults_.clear();
    for (uint32_t other = 0; other < registry::kHosts; ++other) {
      const Registry::Fault fault = registry_->FaultBetween(registry_->host(), other);
      if (fault.state != registry::LinkState::kUp) faults_[other] = fault;
    }
  }
  if (faults_.empty()) return {};
  const auto found = faults_.find(host);
  return found == faults_.end() ? Registry::Fault{} : found->second;
}

// Packets to one process stay in order. False beyond what a slow line holds.
bool Network::Delay(ProcessId to, uint32_t delay_us, const PacketHeader& header,
                    std::span<const Sge> payload) {
  constexpr size_t kMostDelayed = 4096;
  if (delayed_.size() >= kMostDelayed) return false;
  Delayed delayed{.to = to, .header = header, .payload = {}};
  for (const Sge& range : payload) {
    const auto* bytes = reinterpret_cast<const std::byte*>(range.addr);
    delayed.payload.insert(delayed.payload.end(), bytes, bytes + range.length);
  }
  uint64_t& last = last_arrival_[to];
  last = std::max(last, clock_.NowNs() + uint64_t{delay_us} * 1000);
  delayed_.emplace(last, std::move(delayed));
  return true;
}

// One that finds no room waits for the ring of its reader.
uint64_t Network::NextArrival() const {
  return delayed_.empty() || delayed_waits_ ? 0 : delayed_.begin()->first;
}

void Network::SendDelayed() {
  const uint64_t now = clock_.NowNs();
  bool sent = false;
  while (!delayed_.empty() && delayed_.begin()->first <= now) {
    const Delayed& delayed = delayed_.begin()->second;
    Link* link = LinkTo(delayed.to);
    const Sge payload{reinterpret_cast<uintptr_t>(delayed.payload.data()),
                      static_cast<uint32_t>(delayed.payload.size()), 0};
    delayed_waits_ = link != nullptr && !SendNow(*link, delayed.header, std::span(&payload, 1));
    if (delayed_waits_) break;
    delayed_.erase(delayed_.begin());
    sent = true;
  }
  if (sent) fabric_.SendAgain();
}

bool Network::Drain() {
  std::vector<Link*> broken;
  bool came = false;
  for (size_t i = 0; i < links_.size(); ++i) {  // more may be made meanwhile
    Link& link = *links_[i];
    if (link.empty()) continue;
    came = true;
    const auto take = [&](const Packet& packet) {
      const Flaw flaw = Take(link, packet);
      ++taken_;
      return flaw;
    };
    if (!link.Drain(take)) broken.push_back(&link);
  }
  for (Link* link : broken) CloseLink(*link, link->reason());
  if (!waiting_.empty()) [[unlikely]] {
    SendWaiting();
  }
  if (!delayed_.empty()) [[unlikely]] {
    SendDelayed();
  }
  if (came || fabric_.stuck()) fabric_.SendAgain();
  return came;
}

Flaw Network::Take(Link& link, const Packet& packet) {
  if (packet.header.kind != PacketKind::kConnection) {
    fabric_.Arrive(packet.header, packet.payload);
    return Flaw::kNone;
  }
  auto message = DecodeConnection(packet.payload);
  if (!message) return Flaw::kConnection;
  message->from.process = link.peer;
  cm_.Receive(*message);
  return Flaw::kNone;
}

void Network::Send(const CmMessage& message) {
  if (!Join()) return;
  waiting_.emplace_back(message.to.process, Encode(message));
  SendWaiting();
}

// What goes to a process that has ended, or over a cut link, is lost.
void Network::SendWaiting() {
  for (size_t left = waiting_.size(); left > 0; --left) {
    const auto [process, message] = std::move(waiting_.front());
    waiting_.pop_front();
    Link* link = LinkTo(process);
    if (link == nullptr || FaultTo(link->peer_host).state == registry::LinkState::kCut) continue;
    const Sge bytes{reinterpret_cast<uintptr_t>(&message), sizeof message, 0};
    const PacketHeader header{.kind = PacketKind::kConnection, .payload = sizeof message};
    if (!SendVia(*link, header, std::span(&bytes, 1))) waiting_.emplace_back(process, message);
  }
}

bool Network::FallAsleep() {
  const bool quiet = std::all_of(links_.begin(), links_.end(),
                                 [](const auto& link) { return link->FallAsleep(); });
  if (!quiet) StayAwake();
  return quiet;
}

void Network::StayAwake() {
  for (const auto& link : links_) link->StayAwake();
}

int Network::ClaimPort(const CmId& id) {
  if (!Join()) return 0;
  return registry_->ClaimPort(id.port_space, PortBinding::Of(id), id.serial);
}

int Network::Listen(const CmId& id) {
  if (!Join()) return 0;
  const int error = registry_->Listen(id.port_space, PortBinding::Of(id), id.serial);
  if (error == 0) BecomeReachable();
  return error;
}

void Network::ReleasePort(const CmId& id) {
  if (joined_) registry_->ReleasePort(id.port_space, id.src.port(), id.serial);
}

std::optional<uint32_t> Network::HostOf(const Address& address) {
  if (address.loopback()) return registry_->host();
  if (const auto host = registry_->FindHost(address)) return host;
  if (is_machine_address(address)) return 0;
  return std::nullopt;
}

uint64_t Network::FindListener(int port_space, const Address& address, bool* elsewhere) {
  *elsewhere = false;
  if (!Join()) return 0;
  const auto host = HostOf(address);
  return host ? registry_->FindListener(*host, port_space, address, elsewhere) : 0;
}

// A named host has its own addresses, the machine all others that it has.
bool Network::IsLocal(const Address& address) {
  if (address.loopback()) return true;
  if (!settings_.host.empty() && on()) {
    return std::any_of(settings_.addresses.begin(), settings_.addresses.end(),
                       [&](const Address& own) { return own.SameHost(address); });
  }
  return is_machine_address(address) && !(joined_ && registry_->FindHost(address));
}

// On a named host an address that nobody has is asked for in vain; on the machine itself its own
// network, where no RDMA device is, would be asked.
Route Network::Beyond(const Address& address) {
  const bool named = !settings_.host.empty();
  if (!Join()) return {.error = ENODEV};
  const auto host = HostOf(address);
  if (!host) return {.error = named ? ETIMEDOUT : ENODEV};
  if (FaultTo(*host).state != registry::LinkState::kCut) return {};
  return {.error = ETIMEDOUT, .answers = false};
}

Address Network::SourceTo(const Address& address) {
  for (const Address& own : settings_.addresses) {
    if (own.family() == address.family()) return own;
  }
  return {};
}

void Network::Abandon() {
  settings_.directory.clear();
  joined_ = false;
  sent_ = taken_ = 0;
  links_.clear();
  link_to_.clear();
  link_of_block_.fill(nullptr);
  greeting_.clear();
  for (File* file : {&listener_, &epoll_, &doorbell_}) *file = File();
  registry_.reset();
  directory_ = File();
}

}  // namespace fakenic
