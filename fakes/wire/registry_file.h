// The table of a fabric, as it lies in a file that every process maps.
//
// Changes are made under the file's lock, each so that the table makes sense at every moment: its
// process may be killed at any. Who is alive is told by a lock that dies with the process, not by
// the table.
#pragma once

#include <atomic>
#include <cstdint>

namespace fakenic {

// A process of a fabric: its place in the table, and which tenant of the place it is. Never 0.
using ProcessId = uint64_t;

namespace registry {

inline constexpr uint64_t kMagic = 0x31636972626166ff;  // "fabric1"
inline constexpr uint32_t kVersion = 1;
inline constexpr uint32_t kProcesses = 4096;
inline constexpr uint32_t kBlocks = 4096;
inline constexpr uint32_t kHosts = 256;
inline constexpr uint32_t kAddresses = 8;  // of a host
inline constexpr uint32_t kNameSize = 32;
inline constexpr uint32_t kPorts = 65536;
inline constexpr uint32_t kPortSpaces = 4;
inline constexpr uint32_t kFaults = 256;

struct Process {
  std::atomic<uint64_t> id;  // 0: free
  uint32_t pid;
  uint32_t host;
  uint32_t tenants;  // so far
  uint32_t reserved;
  char program[kNameSize];
};

struct HostAddress {
  uint32_t family;  // 4 or 6
  uint8_t bytes[16];
};

struct Host {
  char name[kNameSize];  // empty: free
  uint32_t addresses;
  HostAddress address[kAddresses];
};

// A binding; those of one port and port space form a chain.
struct Port {
  std::atomic<uint64_t> owner;  // 0: free
  uint64_t id;                  // the owner's serial of its cm_id
  std::atomic<uint32_t> next;   // place + 1; 0 ends the chain
  uint32_t host;
  HostAddress address;
  uint16_t port;
  uint8_t space;
  uint8_t one_family;
  uint8_t reuse;
  uint8_t listening;
};

enum class LinkState : uint32_t { kUp = 0, kCut = 1, kSlow = 2 };

// A link between two hosts that is not as it should be.
struct LinkFault {
  uint32_t hosts[2];  // place + 1; 0: free
  LinkState state;
  uint32_t delay_us;
};

struct Table {
  std::atomic<uint64_t> magic;
  uint32_t version;
  uint32_t size;
  uint32_t holder_pid;  // of whom has the lock, for whom waits in vain
  uint32_t processes_used;
  uint32_t ports_used;
  uint32_t next_block;
  uint32_t reserved;
  std::atomic<uint32_t> faults_version;
  std::atomic<uint64_t> block_owner[kBlocks];
  Process process[kProcesses];
  Host host[kHosts];  // the first is the machine itself
  LinkFault fault[kFaults];
  std::atomic<uint32_t> chain[kPortSpaces][65536];  // place + 1 of a port's first binding
  Port port[kPorts];
};

}  // namespace registry
}  // namespace fakenic
