#include "command/fabric.h"

#include <arpa/inet.h>
#include <poll.h>

#include <map>
#include <memory>
#include <ostream>
#include <vector>

#include "wire/directory.h"
#include "wire/greeting.h"
#include "wire/local_socket.h"
#include "wire/registry.h"

namespace fakenic {
namespace {

constexpr int kUnusable = 3;
constexpr int kPatienceMs = 2000;

struct Fabric {
  File directory;
  std::unique_ptr<Registry> registry;
};

Fabric OpenFabric(const std::string& path, std::ostream& errors) {
  Fabric fabric;
  std::string why;
  fabric.directory = OpenFabricDirectory(path, why);
  if (fabric.directory.open()) fabric.registry = Registry::Open(fabric.directory.get(), why);
  if (fabric.registry == nullptr) errors << "fakenic: " << why << "\n";
  return fabric;
}

std::string Text(const Address& address) {
  char text[INET6_ADDRSTRLEN] = {};
  const auto* in = reinterpret_cast<const sockaddr_in*>(address.get());
  const auto* in6 = reinterpret_cast<const sockaddr_in6*>(address.get());
  const void* bytes = address.family() == AF_INET ? static_cast<const void*>(&in->sin_addr)
                                                  : static_cast<const void*>(&in6->sin6_addr);
  inet_ntop(address.family(), bytes, text, sizeof text);
  return text;
}

// A connection to the process, greeted so; not open if it does not listen.
File Greet(const Fabric& fabric, ProcessId process, Greeting::Kind kind) {
  File socket = ConnectLocally(fabric.directory.get(), Registry::SocketName(process));
  const Greeting greeting{.kind = kind};
  if (socket.open()) SendLocally(socket, &greeting, sizeof greeting, {});
  return socket;
}

// What the process says about itself.
std::string Ask(const Fabric& fabric, ProcessId process) {
  const File socket = Greet(fabric, process, Greeting::Kind::kDescribe);
  if (!socket.open()) return "    nothing that another process could reach\n";
  pollfd readable{socket.get(), POLLIN, 0};
  if (poll(&readable, 1, kPatienceMs) != 1) return "    does not answer; is it stopped?\n";
  const Received answer = ReceiveLocally(socket, 65536);
  return {reinterpret_cast<const char*>(answer.bytes.data()), answer.bytes.size()};
}

void PrintFaults(const Registry& registry, std::ostream& out) {
  for (uint32_t a = 0; a < registry::kHosts; ++a) {
    for (uint32_t b = a; b < registry::kHosts; ++b) {
      if (registry.HostName(a).empty() || registry.HostName(b).empty()) continue;
      const Registry::Fault fault = registry.FaultBetween(a, b);
      if (fault.state == registry::LinkState::kUp) continue;
      out << "link " << registry.HostName(a) << " " << registry.HostName(b);
      if (fault.state == registry::LinkState::kCut) out << " cut\n";
      if (fault.state == registry::LinkState::kSlow) out << " slow " << fault.delay_us << " us\n";
    }
  }
}

}  // namespace

bool CheckFabric(const std::string& directory, std::ostream& errors) {
  return OpenFabric(directory, errors).registry != nullptr;
}

int PrintFabric(const std::string& directory, std::ostream& out, std::ostream& errors) {
  const Fabric fabric = OpenFabric(directory, errors);
  if (fabric.registry == nullptr) return kUnusable;
  Registry& registry = *fabric.registry;
  std::map<uint32_t, std::vector<ProcessId>> of_host;
  for (const ProcessId process : registry.Processes()) {
    of_host[registry.HostOf(process)].push_back(process);
  }
  out << "fabric " << directory << "\n";
  for (const auto& [host, processes] : of_host) {
    out << "host " << registry.HostName(host);
    for (const Address& address : registry.AddressesOf(host)) out << " " << Text(address);
    out << "\n";
    for (const ProcessId process : processes) {
      out << "  process " << registry.PidOf(process) << " " << registry.ProgramOf(process) << "\n"
          << Ask(fabric, process);
    }
  }
  if (of_host.empty()) out << "nobody is there\n";
  PrintFaults(registry, out);
  return 0;
}

int SetLink(const std::string& directory, const std::string& a, const std::string& b,
            const std::string& state, unsigned delay_us, std::ostream& errors) {
  const Fabric fabric = OpenFabric(directory, errors);
  if (fabric.registry == nullptr) return kUnusable;
  Registry& registry = *fabric.registry;
  const auto host_a = registry.FindHost(a), host_b = registry.FindHost(b);
  if (!host_a || !host_b) {
    errors << "fakenic: no host " << (host_a ? b : a) << " in " << directory
           << "; `fakenic ps` lists those that are there, `fakenic run --host` makes them\n";
    return 1;
  }
  Registry::Fault fault;
  if (state == "cut") fault.state = registry::LinkState::kCut;
  if (state == "slow") fault = {registry::LinkState::kSlow, delay_us};
  if (!registry.SetFault(*host_a, *host_b, fault)) {
    errors << "fakenic: the registry of " << directory << " has no room, or its lock is held\n";
    return kUnusable;
  }
  for (const ProcessId process : registry.Processes()) {  // what waits for the link goes on
    const uint32_t host = registry.HostOf(process);
    if (host == *host_a || host == *host_b) Greet(fabric, process, Greeting::Kind::kRing);
  }
  return 0;
}

}  // namespace fakenic
