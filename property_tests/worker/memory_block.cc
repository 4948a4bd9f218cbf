#include "property_tests/worker/memory_block.h"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <random>

#include "spec/model/memory.h"

namespace conformance {

Layout::Layout(std::size_t region_size) : region(region_size) {
  constexpr std::size_t kGuard = 64;
  std::size_t next = kGuard;
  const auto place = [&](std::size_t& at, std::size_t shift) {
    at = next + shift;
    next = (at + region + 7) / 8 * 8 + kGuard;
  };
  place(d, 0);
  place(odd, 1);
  for (std::size_t* at : {&nowrite, &noread, &foreign, &stale}) place(*at, 0);
  // The sources come last: a range that leaves one stays in memory that is there.
  for (std::size_t* at : {&l, &r, &nousage, &foreign_l, &s, &foreign_s}) place(*at, 0);
  total = next;
}

MemoryBlock::MemoryBlock(std::size_t bytes, std::uint64_t seed, void* shared)
    : shared_(shared != nullptr), pristine_(bytes) {
  void* memory = shared;
  if (!shared_)
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::uint8_t*>(memory);
  std::mt19937_64 random(seed);
  for (std::uint8_t& byte : pristine_) {
    byte = static_cast<std::uint8_t>(random());
    if (byte == spec::model::kScribble) byte = 0;
  }
  Restore();
}

MemoryBlock::~MemoryBlock() {
  if (!shared_) munmap(data_, pristine_.size());
}

void MemoryBlock::Restore() { std::memcpy(data_, pristine_.data(), pristine_.size()); }

}  // namespace conformance
