#include "property_tests/script/allocation_faults.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

namespace conformance {

namespace {

struct Countdown {
  std::atomic<unsigned> left{0};  // calls until one fails; 0: none will

  bool Fails();
};

Countdown g_heap;
Countdown g_mmap;
Countdown g_munmap;
std::atomic<unsigned> g_fired{0};

Countdown& CountdownOf(std::string_view name) {
  return name == "mmap" ? g_mmap : name == "munmap" ? g_munmap : g_heap;
}

bool Countdown::Fails() {
  if (left.load() == 0 || left.fetch_sub(1) != 1) return false;
  ++g_fired;
  errno = this == &g_munmap ? EINVAL : ENOMEM;
  return true;
}

void* Malloc(std::size_t size) { return g_heap.Fails() ? nullptr : std::malloc(size); }
void* Calloc(std::size_t count, std::size_t size) {
  return g_heap.Fails() ? nullptr : std::calloc(count, size);
}
void* Realloc(void* old, std::size_t size) {
  return g_heap.Fails() ? nullptr : std::realloc(old, size);
}
void* AlignedAlloc(std::size_t alignment, std::size_t size) {
  return g_heap.Fails() ? nullptr : std::aligned_alloc(alignment, size);
}
int PosixMemalign(void** out, std::size_t alignment, std::size_t size) {
  return g_heap.Fails() ? ENOMEM : posix_memalign(out, alignment, size);
}
char* Strdup(const char* text) { return g_heap.Fails() ? nullptr : strdup(text); }
void* New(std::size_t size) {
  if (g_heap.Fails()) throw std::bad_alloc();
  return ::operator new(size);
}
void* NewNothrow(std::size_t size, const std::nothrow_t& tag) {
  return g_heap.Fails() ? nullptr : ::operator new(size, tag);
}
void* Mmap(void* address, std::size_t size, int protection, int flags, int fd, off_t offset) {
  return g_mmap.Fails() ? MAP_FAILED : mmap(address, size, protection, flags, fd, offset);
}
int Munmap(void* address, std::size_t size) {
  return g_munmap.Fails() ? -1 : munmap(address, size);
}

struct Hook {
  const char* symbol;
  void* function;
};

// The symbols as compilers spell them.
const Hook kHooks[] = {
    {"malloc", reinterpret_cast<void*>(&Malloc)},
    {"calloc", reinterpret_cast<void*>(&Calloc)},
    {"realloc", reinterpret_cast<void*>(&Realloc)},
    {"aligned_alloc", reinterpret_cast<void*>(&AlignedAlloc)},
    {"posix_memalign", reinterpret_cast<void*>(&PosixMemalign)},
    {"strdup", reinterpret_cast<void*>(&Strdup)},
    {"_Znwm", reinterpret_cast<void*>(&New)},
    {"_Znam", reinterpret_cast<void*>(&New)},
    {"_ZnwmRKSt9nothrow_t", reinterpret_cast<void*>(&NewNothrow)},
    {"_ZnamRKSt9nothrow_t", reinterpret_cast<void*>(&NewNothrow)},
    {"mmap", reinterpret_cast<void*>(&Mmap)},
    {"munmap", reinterpret_cast<void*>(&Munmap)},
};

void Write(std::uintptr_t slot, void* function) {
  const std::uintptr_t page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  void* start = reinterpret_cast<void*>(slot & ~(page - 1));
  // The table is read-only in a library that was bound at once.
  mprotect(start, page, PROT_READ | PROT_WRITE);
  *reinterpret_cast<void**>(slot) = function;
}

struct Table {
  const ElfW(Rela) * entries = nullptr;
  std::size_t bytes = 0;
};

void Redirect(const link_map& map, const Table& table, const ElfW(Sym) * symbols,
              const char* strings) {
  for (std::size_t i = 0; i < table.bytes / sizeof(ElfW(Rela)); ++i) {
    const ElfW(Rela)& entry = table.entries[i];
    const auto type = ELF64_R_TYPE(entry.r_info);
    if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
    const char* name = strings + symbols[ELF64_R_SYM(entry.r_info)].st_name;
    for (const Hook& hook : kHooks)
      if (std::strcmp(name, hook.symbol) == 0) Write(map.l_addr + entry.r_offset, hook.function);
  }
}

void RedirectAll(const link_map& map) {
  Table jumps;
  Table data;
  const ElfW(Sym)* symbols = nullptr;
  const char* strings = nullptr;
  for (const ElfW(Dyn)* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) {
    const auto pointer = entry->d_un.d_ptr;
    if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(pointer);
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(pointer);
    if (entry->d_tag == DT_JMPREL) jumps.entries = reinterpret_cast<const ElfW(Rela)*>(pointer);
    if (entry->d_tag == DT_PLTRELSZ) jumps.bytes = entry->d_un.d_val;
    if (entry->d_tag == DT_RELA) data.entries = reinterpret_cast<const ElfW(Rela)*>(pointer);
    if (entry->d_tag == DT_RELASZ) data.bytes = entry->d_un.d_val;
  }
  Redirect(map, jumps, symbols, strings);
  Redirect(map, data, symbols, strings);
}

// What a library under test is built on, the providers that libibverbs loads included: no part of
// it.
bool IsSystems(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  if (name.find("-rdmav") != std::string_view::npos) return true;
  for (const std::string_view system : {"libibverbs.", "librdmacm.", "libc.", "libstdc++.",
                                        "libgcc_s.", "libm.", "ld-linux", "libnl-", "linux-vdso"})
    if (name.substr(0, system.size()) == system) return true;
  return false;
}

}  // namespace

AllocationFaults::AllocationFaults(void* handle) {
  // What the loader brought in for it stands behind it in the list.
  for (const link_map* map = static_cast<const link_map*>(handle); map != nullptr;
       map = map->l_next)
    if (!IsSystems(map->l_name)) RedirectAll(*map);
}

void AllocationFaults::Plan(std::string_view name, unsigned nth) { CountdownOf(name).left = nth; }

unsigned AllocationFaults::left(std::string_view name) const { return CountdownOf(name).left; }

unsigned AllocationFaults::fired() const { return g_fired; }

void AllocationFaults::Clear() {
  g_heap.left = 0;
  g_mmap.left = 0;
  g_munmap.left = 0;
  g_fired = 0;
}

}  // namespace conformance
