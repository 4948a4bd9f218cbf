// Who is in a fabric: processes, their hosts and addresses, the ports and blocks of queue pair
// numbers that they have claimed. What belonged to a process that has ended is free.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cm/address.h"
#include "cm/port_rules.h"
#include "wire/file.h"
#include "wire/registry_file.h"

namespace fakenic {

// Single-threaded in its process: its owner locks. Functions that change the table give up, with an
// error, if another process holds its lock for seconds, as one that is stopped would.
class Registry {
 public:
  // Opens the table of the fabric in this directory, which stays open meanwhile; makes it if it is
  // not there. Null, and why, if it cannot be used.
  static std::unique_ptr<Registry> Open(int directory, std::string& why);
  ~Registry();

  // Joins as a process of this host; an empty name is the machine itself. The addresses are the
  // host's from now on. False, and why.
  bool Join(const std::string& host, const std::vector<Address>& addresses, std::string& why);
  ProcessId self() const { return self_; }
  uint32_t host() const { return host_; }
  static std::string SocketName(ProcessId process);

  bool Alive(ProcessId process);
  pid_t PidOf(ProcessId process) const;
  uint32_t HostOf(ProcessId process) const;
  std::string ProgramOf(ProcessId process) const;
  std::vector<ProcessId> Processes();

  // The number of the claimed block; none if all are taken.
  std::optional<uint32_t> ClaimBlock();
  ProcessId OwnerOfBlock(uint32_t block) const;  // it may have ended; 0 for none

  // 0 or an errno, as of a bind: see Conflict.
  int ClaimPort(int port_space, const PortBinding& binding, uint64_t id);
  int Listen(int port_space, const PortBinding& binding, uint64_t id);
  void ReleasePort(int port_space, uint16_t port, uint64_t id);
  // The process other than this one that listens there; 0 if none does.
  ProcessId FindListener(uint32_t host, int port_space, const Address& address, bool* elsewhere);

  // The host that has this address; none if nobody has claimed it.
  std::optional<uint32_t> FindHost(const Address& address) const;
  std::optional<uint32_t> FindHost(const std::string& name) const;
  std::string HostName(uint32_t host) const;
  std::vector<Address> AddressesOf(uint32_t host) const;

  // What is wrong with the link between two hosts.
  struct Fault {
    registry::LinkState state = registry::LinkState::kUp;
    uint32_t delay_us = 0;
  };
  Fault FaultBetween(uint32_t a, uint32_t b) const;
  uint32_t faults_version() const { return table_->faults_version.load(std::memory_order_acquire); }
  // False if there is no room for another.
  bool SetFault(uint32_t a, uint32_t b, Fault fault);

 private:
  class Guard;

  Registry(int directory, File file) : directory_(directory), file_(std::move(file)) {}
  bool LockByte(uint64_t offset, bool wait);
  void UnlockByte(uint64_t offset);
  bool TakePlace(std::string& why);
  bool TakeHost(const std::string& host, const std::vector<Address>& addresses, std::string& why);
  void FreePlace(uint32_t place);
  bool HostIsEmpty(uint32_t host);
  int FindConflict(uint32_t space, const PortBinding& binding);
  template <typename F>
  void ForEachPort(uint32_t space, uint16_t port, F&& f);
  void Unchain(registry::Port& port);
  registry::Port* FindPort(int port_space, uint16_t port, uint64_t id);
  registry::Port* FreePort();

  int directory_;
  File file_;
  registry::Table* table_ = nullptr;
  ProcessId self_ = 0;
  uint32_t host_ = 0;
  uint32_t port_cursor_ = 0;
};

}  // namespace fakenic
