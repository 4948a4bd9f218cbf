// The table: opening it, its lock, processes, hosts, blocks.
#include "wire/registry.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "wire/registry_address.h"
#include "wire/registry_guard.h"

namespace fakenic {

using namespace registry;

namespace {

constexpr char kFileName[] = "registry";

ProcessId MakeId(uint32_t place, uint32_t tenant) { return uint64_t{tenant} << 32 | (place + 1); }
uint32_t PlaceOf(ProcessId process) { return static_cast<uint32_t>(process) - 1; }

std::string ProgramName() {
  char name[kNameSize] = {};
  const File file(open("/proc/self/comm", O_RDONLY | O_CLOEXEC));
  const ssize_t size = read(file.get(), name, sizeof name - 1);
  std::string text(name, size > 0 ? static_cast<size_t>(size) : 0);
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void CopyName(const std::string& from, char (&to)[kNameSize]) {
  std::snprintf(to, sizeof to, "%s", from.c_str());
}

}  // namespace

std::unique_ptr<Registry> Registry::Open(int directory, std::string& why) {
  File file(openat(directory, kFileName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.open()) {
    why = std::string("the fabric's registry: ").append(strerror(errno));
    return nullptr;
  }
  std::unique_ptr<Registry> made(new Registry(directory, std::move(file)));
  if (!made->LockByte(kMutexByte, /*wait=*/true)) {
    why = "the fabric's registry is locked by another process for seconds";
    return nullptr;
  }
  struct stat status {};
  fstat(made->file_.get(), &status);
  const bool fresh = status.st_size == 0;
  if (fresh && ftruncate(made->file_.get(), sizeof(Table)) != 0) {
    why = std::string("the fabric's registry: ").append(strerror(errno));
    return nullptr;
  }
  if (!fresh && status.st_size != sizeof(Table)) {
    why = "the fabric's registry is of another version of fakenic: remove its directory";
    return nullptr;
  }
  void* mapped =
      mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED, made->file_.get(), 0);
  if (mapped == MAP_FAILED) {
    why = std::string("the fabric's registry: mmap: ").append(strerror(errno));
    return nullptr;
  }
  made->table_ = static_cast<Table*>(mapped);
  if (made->table_->magic == 0) {  // fresh, or its maker was killed
    made->table_->version = kVersion;
    made->table_->size = sizeof(Table);
    CopyName("machine", made->table_->host[0].name);
    made->table_->magic = kMagic;
  }
  const bool usable = made->table_->magic == kMagic && made->table_->version == kVersion &&
                      made->table_->size == sizeof(Table);
  made->UnlockByte(kMutexByte);
  if (usable) return made;
  why = "the fabric's registry is of another version of fakenic: remove its directory";
  return nullptr;
}

Registry::~Registry() {
  if (table_ != nullptr) munmap(table_, sizeof(Table));
}

bool Registry::LockByte(uint64_t offset, bool wait) {
  constexpr int kTries = 5000;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(offset);
  lock.l_len = 1;
  for (int tries = 0;; ++tries) {
    if (fcntl(file_.get(), F_OFD_SETLK, &lock) == 0) return true;
    if (!wait || tries == kTries) return false;
    const timespec pause{0, tries < 100 ? 50'000 : 1'000'000};
    nanosleep(&pause, nullptr);
  }
}

void Registry::UnlockByte(uint64_t offset) {
  struct flock lock {};
  lock.l_type = F_UNLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(offset);
  lock.l_len = 1;
  fcntl(file_.get(), F_OFD_SETLK, &lock);
}

bool Registry::Join(const std::string& host, const std::vector<Address>& addresses,
                    std::string& why) {
  const Guard guard(*this);
  if (!guard.held()) {
    why = std::string("process ")
              .append(std::to_string(table_->holder_pid))
              .append(" holds the lock of the fabric's registry for seconds; is it stopped?");
    return false;
  }
  for (uint32_t place = 0; place < table_->processes_used && place < kProcesses; ++place) {
    const ProcessId id = table_->process[place].id;
    if (id != 0 && !Alive(id)) FreePlace(place);
  }
  return TakeHost(host, addresses, why) && TakePlace(why);
}

bool Registry::TakePlace(std::string& why) {
  for (uint32_t place = 0; place < kProcesses; ++place) {
    Process& process = table_->process[place];
    if (process.id != 0 || !LockByte(kFirstProcessByte + place, /*wait=*/false)) continue;
    process.pid = static_cast<uint32_t>(getpid());
    process.host = host_;
    CopyName(ProgramName(), process.program);
    self_ = MakeId(place, ++process.tenants);
    process.id = self_;
    if (place >= table_->processes_used) table_->processes_used = place + 1;
    return true;
  }
  why = "the fabric has no room for another process";
  return false;
}

void Registry::FreePlace(uint32_t place) {
  const ProcessId id = table_->process[place].id;
  for (auto& owner : table_->block_owner) {
    if (owner == id) owner = 0;
  }
  unlinkat(directory_, SocketName(id).c_str(), 0);
  table_->process[place].id = 0;
}

bool Registry::HostIsEmpty(uint32_t host) {
  for (uint32_t place = 0; place < table_->processes_used && place < kProcesses; ++place) {
    const Process& process = table_->process[place];
    if (process.id != 0 && process.host == host && Alive(process.id)) return false;
  }
  return true;
}

// An address of a host that has no process left goes to whoever wants it.
bool Registry::TakeHost(const std::string& host, const std::vector<Address>& addresses,
                        std::string& why) {
  host_ = 0;
  if (host.empty()) return true;
  std::optional<uint32_t> place = FindHost(host);
  for (uint32_t free = 1; !place && free < kHosts; ++free) {
    if (table_->host[free].name[0] == '\0') place = free;
  }
  if (!place) {
    why = "the fabric has no room for another host";
    return false;
  }
  for (const Address& address : addresses) {
    const auto owner = FindHost(address);
    if (!owner || *owner == *place) continue;
    if (!HostIsEmpty(*owner)) {
      why = std::string("an address of host ")
                .append(host)
                .append(" is that of host ")
                .append(HostName(*owner));
      return false;
    }
    table_->host[*owner].addresses = 0;
  }
  Host& taken = table_->host[*place];
  if (!addresses.empty()) {
    taken.addresses = 0;
    for (const Address& address : addresses) {
      if (taken.addresses < kAddresses) taken.address[taken.addresses++] = ToHostAddress(address);
    }
  }
  CopyName(host, taken.name);
  host_ = *place;
  return true;
}

std::string Registry::SocketName(ProcessId process) {
  return std::string("process-")
      .append(std::to_string(PlaceOf(process)))
      .append("-")
      .append(std::to_string(process >> 32));
}

bool Registry::Alive(ProcessId process) {
  const uint32_t place = PlaceOf(process);
  if (place >= kProcesses || table_->process[place].id != process) return false;
  if (process == self_) return true;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(kFirstProcessByte + place);
  lock.l_len = 1;
  return fcntl(file_.get(), F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

pid_t Registry::PidOf(ProcessId process) const {
  const uint32_t place = PlaceOf(process);
  return place < kProcesses ? static_cast<pid_t>(table_->process[place].pid) : 0;
}

uint32_t Registry::HostOf(ProcessId process) const {
  const uint32_t place = PlaceOf(process);
  const uint32_t host = place < kProcesses ? table_->process[place].host : 0;
  return host < kHosts ? host : 0;
}

std::string Registry::ProgramOf(ProcessId process) const {
  const uint32_t place = PlaceOf(process);
  if (place >= kProcesses) return "";
  const char* name = table_->process[place].program;
  return {name, strnlen(name, kNameSize)};
}

std::vector<ProcessId> Registry::Processes() {
  std::vector<ProcessId> live;
  for (uint32_t place = 0; place < table_->processes_used && place < kProcesses; ++place) {
    const ProcessId id = table_->process[place].id;
    if (id != 0 && Alive(id)) live.push_back(id);
  }
  return live;
}

// One after the other, so that a number comes back as late as possible.
std::optional<uint32_t> Registry::ClaimBlock() {
  const Guard guard(*this);
  if (!guard.held()) return std::nullopt;
  for (uint32_t tries = 0; tries < kBlocks; ++tries) {
    const uint32_t block = table_->next_block++ % kBlocks;
    const ProcessId owner = table_->block_owner[block];
    if (owner != 0 && Alive(owner)) continue;
    table_->block_owner[block] = self_;
    return block;
  }
  return std::nullopt;
}

ProcessId Registry::OwnerOfBlock(uint32_t block) const {
  return block < kBlocks ? table_->block_owner[block].load(std::memory_order_acquire) : 0;
}

std::optional<uint32_t> Registry::FindHost(const Address& address) const {
  for (uint32_t place = 1; place < kHosts; ++place) {
    const Host& host = table_->host[place];
    for (uint32_t i = 0; i < host.addresses && i < kAddresses; ++i) {
      if (FromHostAddress(host.address[i]).SameHost(address)) return place;
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> Registry::FindHost(const std::string& name) const {
  for (uint32_t place = 0; place < kHosts; ++place) {
    if (!name.empty() && HostName(place) == name) return place;
  }
  return std::nullopt;
}

std::string Registry::HostName(uint32_t host) const {
  if (host >= kHosts) return "";
  const char* name = table_->host[host].name;
  return {name, strnlen(name, kNameSize)};
}

std::vector<Address> Registry::AddressesOf(uint32_t host) const {
  std::vector<Address> addresses;
  if (host >= kHosts) return addresses;
  for (uint32_t i = 0; i < table_->host[host].addresses && i < kAddresses; ++i) {
    addresses.push_back(FromHostAddress(table_->host[host].address[i]));
  }
  return addresses;
}

Registry::Fault Registry::FaultBetween(uint32_t a, uint32_t b) const {
  for (const LinkFault& fault : table_->fault) {
    const bool there = fault.hosts[0] == a + 1 && fault.hosts[1] == b + 1;
    const bool back = fault.hosts[0] == b + 1 && fault.hosts[1] == a + 1;
    if (there || back) return {fault.state, fault.delay_us};
  }
  return {};
}

bool Registry::SetFault(uint32_t a, uint32_t b, Fault fault) {
  const Guard guard(*this);
  if (!guard.held()) return false;
  LinkFault* place = nullptr;
  for (LinkFault& known : table_->fault) {
    const bool there = known.hosts[0] == a + 1 && known.hosts[1] == b + 1;
    const bool back = known.hosts[0] == b + 1 && known.hosts[1] == a + 1;
    if (there || back) place = &known;
  }
  for (LinkFault& free : table_->fault) {
    if (place == nullptr && free.hosts[0] == 0) place = &free;
  }
  if (place == nullptr) return false;
  place->state = fault.state;
  place->delay_us = fault.delay_us;
  place->hosts[1] = b + 1;
  place->hosts[0] = fault.state == LinkState::kUp ? 0 : a + 1;
  table_->faults_version.fetch_add(1, std::memory_order_release);
  return true;
}

}  // namespace fakenic
