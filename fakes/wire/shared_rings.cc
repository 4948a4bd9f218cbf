#include "wire/shared_rings.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace fakenic {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kControl = 2 * kPage;
constexpr size_t kFileBytes = kControl + 2 * kRingBytes;
constexpr size_t kMappedBytes = kControl + 4 * kRingBytes;
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

static_assert(sizeof(RingControl) <= kPage);

std::string Failed(const char* call) {
  return std::string(call).append(": ").append(strerror(errno));
}

bool MapPart(int fd, std::byte* at, size_t offset, size_t size) {
  return mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
              static_cast<off_t>(offset)) != MAP_FAILED;
}

}  // namespace

SharedRings& SharedRings::operator=(SharedRings&& other) noexcept {
  std::swap(base_, other.base_);
  return *this;
}

SharedRings::~SharedRings() {
  if (base_ != nullptr) munmap(base_, kMappedBytes);
}

RingControl* SharedRings::control(int ring) const {
  return reinterpret_cast<RingControl*>(base_ + static_cast<size_t>(ring) * kPage);
}

std::byte* SharedRings::bytes(int ring) const {
  return base_ + kControl + static_cast<size_t>(ring) * 2 * kRingBytes;
}

std::optional<SharedRings> SharedRings::Map(int fd, std::string& why) {
  void* base = mmap(nullptr, kMappedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) {
    why = Failed("mmap");
    return std::nullopt;
  }
  SharedRings rings;
  rings.base_ = static_cast<std::byte*>(base);
  bool mapped = MapPart(fd, rings.base_, 0, kControl);
  for (int ring = 0; ring < 2; ++ring) {
    const size_t offset = kControl + static_cast<size_t>(ring) * kRingBytes;
    mapped = mapped && MapPart(fd, rings.bytes(ring), offset, kRingBytes) &&
             MapPart(fd, rings.bytes(ring) + kRingBytes, offset, kRingBytes);
  }
  if (!mapped) {
    why = Failed("mmap");
    return std::nullopt;
  }
  madvise(rings.base_, kMappedBytes, MADV_DONTFORK);  // a child must not take part
  return rings;
}

std::optional<SharedRings> SharedRings::Create(File& file, std::string& why) {
  file = File(memfd_create("fakenic", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.open() || ftruncate(file.get(), kFileBytes) != 0 ||
      fcntl(file.get(), F_ADD_SEALS, kSeals) != 0) {
    why = Failed("memfd_create");
    return std::nullopt;
  }
  return Map(file.get(), why);
}

std::optional<SharedRings> SharedRings::Adopt(const File& file, std::string& why) {
  const int seals = fcntl(file.get(), F_GET_SEALS);
  struct stat status {};
  if (seals < 0 || (seals & kSeals) != kSeals) {
    why = "the memory could change its size";
  } else if (fstat(file.get(), &status) != 0 || status.st_size != kFileBytes) {
    why = "the memory has " + std::to_string(status.st_size) + " bytes, expected " +
          std::to_string(kFileBytes);
  } else {
    return Map(file.get(), why);
  }
  return std::nullopt;
}

}  // namespace fakenic
