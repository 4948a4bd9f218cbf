// A library that gets memory in every way there is, and says whether it got it.
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace {

constexpr std::size_t kSize = 64;

bool Got(void* memory) {
  void* volatile kept = memory;  // so that no compiler leaves out the pair
  std::free(kept);
  return kept != nullptr;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) bool GetsMalloc() { return Got(std::malloc(kSize)); }
__attribute__((visibility("default"))) bool GetsCalloc() { return Got(std::calloc(1, kSize)); }
__attribute__((visibility("default"))) bool GetsRealloc() {
  return Got(std::realloc(nullptr, kSize));
}
__attribute__((visibility("default"))) bool GetsAlignedAlloc() {
  return Got(std::aligned_alloc(kSize, kSize));
}
__attribute__((visibility("default"))) bool GetsStrdup() {
  const char* volatile text = "text";
  return Got(strdup(text));
}
__attribute__((visibility("default"))) bool GetsPosixMemalign() {
  void* memory = nullptr;
  return posix_memalign(&memory, kSize, kSize) == 0 && Got(memory);
}
__attribute__((visibility("default"))) bool GetsNew() {
  try {
    void* volatile memory = ::operator new(kSize);
    ::operator delete(memory);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}
__attribute__((visibility("default"))) bool GetsNewNothrow() {
  void* volatile memory = ::operator new(kSize, std::nothrow);
  ::operator delete(memory);
  return memory != nullptr;
}
__attribute__((visibility("default"))) bool GetsMmap() {
  void* memory = mmap(nullptr, kSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED && munmap(memory, kSize) == 0;
}

}  // extern "C"
