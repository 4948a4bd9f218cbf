// The network form of a memory region: 21 bytes, little-endian, packed.
//   0  base address  8
//   8  length        8
//  16  rkey          4
//  20  usage         1
#pragma once

#include <cstddef>
#include <cstdint>

namespace rpma {

struct MrDescriptor {
  uint64_t addr;
  uint64_t length;
  uint32_t rkey;
  uint8_t usage;
};

inline constexpr size_t kMrDescriptorSize = 21;

namespace internal {

template <typename T>
inline void StoreLittleEndian(T value, uint8_t* bytes) {
  for (size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<uint8_t>(value >> (8 * i));
}

template <typename T>
inline T LoadLittleEndian(const uint8_t* bytes) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(bytes[i]) << (8 * i);
  return value;
}

}  // namespace internal

inline void Encode(const MrDescriptor& descriptor, uint8_t* bytes) {
  internal::StoreLittleEndian(descriptor.addr, bytes);
  internal::StoreLittleEndian(descriptor.length, bytes + 8);
  internal::StoreLittleEndian(descriptor.rkey, bytes + 16);
  bytes[20] = descriptor.usage;
}

inline MrDescriptor DecodeMrDescriptor(const uint8_t* bytes) {
  return {.addr = internal::LoadLittleEndian<uint64_t>(bytes),
          .length = internal::LoadLittleEndian<uint64_t>(bytes + 8),
          .rkey = internal::LoadLittleEndian<uint32_t>(bytes + 16),
          .usage = bytes[20]};
}

}  // namespace rpma
