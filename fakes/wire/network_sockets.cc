// Links: how they are made, and how they end.
#include <sys/epoll.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "wire/greeting.h"
#include "wire/network.h"

namespace fakenic {
namespace {

bool IsGreeting(const Received& received, Greeting& greeting) {
  if (received.error != 0 || received.bytes.size() != sizeof greeting) return false;
  std::memcpy(&greeting, received.bytes.data(), sizeof greeting);
  return greeting.magic == Greeting::kMagic && greeting.version == Greeting::kVersion;
}

// Whether writing to it cannot block for long: a counter, and one that does not wait.
bool IsDoorbell(const File& file) {
  char path[32], target[32] = {};
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", file.get());
  const ssize_t size = readlink(path, target, sizeof target - 1);
  return size > 0 && std::strcmp(target, "anon_inode:[eventfd]") == 0;
}

}  // namespace

bool Network::Watch(int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

bool Network::BecomeReachable() {
  if (!Join()) return false;
  if (listener_.open()) return true;
  if (!epoll_.open()) epoll_ = File(epoll_create1(EPOLL_CLOEXEC));
  File listener = ListenLocally(directory_.get(), Registry::SocketName(registry_->self()));
  if (!epoll_.open() || !listener.open() || !Watch(listener.get())) {
    return Failed(std::string("a socket in the fabric's directory: ").append(strerror(errno)));
  }
  listener_ = std::move(listener);
  if (on_reachable) on_reachable();
  return true;
}

// What is sent to it may be sent at once; the answer tells later how it is woken.
Link* Network::Connect(ProcessId process) {
  if (!BecomeReachable()) return nullptr;
  std::string why;
  File socket = ConnectLocally(directory_.get(), Registry::SocketName(process));
  if (!socket.open()) {
    if (!registry_->Alive(process)) ended_.insert(process);
    return nullptr;
  }
  const Peer peer = PeerOf(socket);
  if (!peer.known || peer.uid != geteuid()) {
    ended_.insert(process);
    return nullptr;
  }
  File memory;
  auto rings = SharedRings::Create(memory, why);
  if (!rings) {
    std::fprintf(stderr, "fakenic: a link to process %d: %s\n", peer.pid, why.c_str());
    return nullptr;
  }
  const Greeting greeting{.kind = Greeting::Kind::kLink, .from = registry_->self()};
  if (SendLocally(socket, &greeting, sizeof greeting, {memory.get(), doorbell_.get()}) != 0 ||
      !Watch(socket.get())) {
    return nullptr;
  }
  links_.push_back(Link::Make(std::move(*rings), std::move(socket)));
  Link& link = *links_.back();
  link.peer = process;
  link.peer_pid = peer.pid;
  link.peer_host = registry_->HostOf(process);
  link_to_[process] = &link;
  fabric_.ExpectPackets();
  return &link;
}

void Network::ServeSockets() {
  constexpr int kMost = 64;
  epoll_event events[kMost];
  const int count = epoll_.open() ? epoll_wait(epoll_.get(), events, kMost, 0) : 0;
  for (int i = 0; i < count; ++i) {
    const int fd = events[i].data.fd;
    if (fd == listener_.get()) {
      AcceptAll();
      continue;
    }
    const auto greeting = std::find_if(greeting_.begin(), greeting_.end(),
                                       [&](const File& file) { return file.get() == fd; });
    if (greeting != greeting_.end()) {
      File socket = std::move(*greeting);
      greeting_.erase(greeting);
      epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
      Greet(std::move(socket));
      continue;
    }
    const auto link = std::find_if(links_.begin(), links_.end(),
                                   [&](const auto& known) { return known->socket().get() == fd; });
    if (link != links_.end()) ServeLink(**link);
  }
}

void Network::AcceptAll() {
  for (File socket = AcceptLocally(listener_); socket.open(); socket = AcceptLocally(listener_)) {
    const Peer peer = PeerOf(socket);
    if (!peer.known || peer.uid != geteuid()) {
      std::fprintf(stderr, "fakenic: refused process %d of user %u, expected user %u\n", peer.pid,
                   peer.uid, geteuid());
      continue;
    }
    if (Watch(socket.get())) greeting_.push_back(std::move(socket));
    socket = File();
  }
}

void Network::Greet(File socket) {
  Received received = ReceiveLocally(socket, sizeof(Greeting));
  Greeting greeting;
  const pid_t pid = PeerOf(socket).pid;
  if (received.error == ECONNRESET) return;
  if (!IsGreeting(received, greeting)) {
    std::fprintf(stderr, "fakenic: refused process %d: not a greeting of this version\n", pid);
    return;
  }
  switch (greeting.kind) {
    case Greeting::Kind::kLink:
      return AdoptLink(std::move(socket), std::move(received), pid);
    case Greeting::Kind::kDescribe: {
      const std::string text = describe();
      SendLocally(socket, text.data(), std::min<size_t>(text.size(), 60000), {});
      return;
    }
    case Greeting::Kind::kRing:
      cm_.FireTimers();
      fabric_.SendAgain();
      return;
    default:
      return;
  }
}

void Network::AdoptLink(File socket, Received greeting, pid_t pid) {
  Greeting said;
  std::string why = "expected the rings and a doorbell";
  std::memcpy(&said, greeting.bytes.data(), sizeof said);
  std::optional<SharedRings> rings;
  const bool from_known = registry_->PidOf(said.from) == pid && said.from != registry_->self();
  if (!from_known) {
    why = "it is not whom it says";
  } else if (greeting.files.size() == 2 && IsDoorbell(greeting.files[1])) {
    rings = SharedRings::Adopt(greeting.files[0], why);
  }
  if (!rings) {
    std::fprintf(stderr, "fakenic: refused a link of process %d: %s\n", pid, why.c_str());
    return;
  }
  const Greeting welcome{.kind = Greeting::Kind::kWelcome, .from = registry_->self()};
  if (SendLocally(socket, &welcome, sizeof welcome, {doorbell_.get()}) != 0) return;
  if (!Watch(socket.get())) return;
  links_.push_back(Link::Adopt(std::move(*rings), std::move(socket), std::move(greeting.files[1])));
  Link& link = *links_.back();
  link.peer = said.from;
  link.peer_pid = pid;
  link.peer_host = registry_->HostOf(said.from);
  link_to_.emplace(link.peer, &link);
  fabric_.ExpectPackets();
  Drain();
}

// The welcome, or the end of the peer.
void Network::ServeLink(Link& link) {
  Received received = ReceiveLocally(link.socket(), sizeof(Greeting));
  if (received.error == EAGAIN) return;
  Greeting greeting;
  if (IsGreeting(received, greeting) && greeting.kind == Greeting::Kind::kWelcome &&
      received.files.size() == 1 && IsDoorbell(received.files[0]) && !link.has_doorbell()) {
    link.SetDoorbell(std::move(received.files[0]));
    return;
  }
  CloseLink(link, received.error == ECONNRESET ? "" : "an unexpected message on its socket");
}

// What it has sent is taken in first; then the process is as good as ended.
void Network::CloseLink(Link& link, const std::string& reason) {
  const ProcessId peer = link.peer;
  std::string why = reason;
  if (why.empty()) {
    link.Drain([&](const Packet& packet) { return Take(link, packet); });
    why = link.reason();
  }
  if (!why.empty()) {
    std::fprintf(stderr, "fakenic: closed the link of process %d: %s\n", link.peer_pid,
                 why.c_str());
  }
  const bool cut = FaultTo(link.peer_host).state == registry::LinkState::kCut;
  std::replace_if(
      link_of_block_.begin(), link_of_block_.end(),
      [&](const Link* known) { return known != nullptr && known->peer == peer; }, nullptr);
  std::erase_if(links_, [&](const auto& known) { return known->peer == peer; });
  link_to_.erase(peer);
  const bool fresh = ended_.insert(peer).second;
  if (fresh && !cut) cm_.ProcessEnded(peer);
}

}  // namespace fakenic
