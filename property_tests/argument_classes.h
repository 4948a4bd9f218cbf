// Classes of values that more than one page's products use. Regions have kSize bytes there.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "property_tests/program/argument_table.h"

namespace conformance {

inline constexpr std::size_t kSize = 64;
inline constexpr std::uint64_t kMax = UINT64_MAX;
inline constexpr std::uint64_t k2GiB = std::uint64_t{1} << 31;
inline constexpr std::uint64_t k4GiB = std::uint64_t{1} << 32;

inline const std::vector<bool> kConnOrNull{true, false};
inline const std::vector<Remote> kRemoteOrNull{Remote::kGood, Remote::kNull};
inline const std::vector<Local> kLocalOrNull{Local::kGood, Local::kNull};
inline const std::vector<std::uint64_t> kOffsets{0, 1, 7, 8, kSize - 8, kSize - 1, kSize, kMax};
inline const std::vector<std::uint64_t> kLengths{
    8, 0, 1, kSize - 1, kSize, kSize + 1, k2GiB, k2GiB + 1, k4GiB, k4GiB + 5, kMax};
inline const std::vector<int> kBothFlags{3, 1};
// ALWAYS, ON_ERROR, none, the bit that only ALWAYS has, undefined bits alone, and all bits.
inline const std::vector<int> kFlagClasses{3, 1, 0, 2, 4, INT_MIN, -1};
inline const std::vector<std::uint64_t> kContexts{0x7, 0xfedcba9876543210};
inline const std::vector<std::uint64_t> kManyContexts{
    0, 1, 0x80000000, 0x100000000, 0x7fff00001234, kMax};

inline const std::vector<std::uint32_t> kImms{0, 1, 0x01020304, 0x80000000, UINT32_MAX};

// Every bit alone, and the two defined values with one undefined bit.
inline std::vector<int> EveryFlagBit() {
  std::vector<int> flags{3, 1, 0, -1};
  for (int bit = 1; bit < 32; ++bit) flags.push_back(static_cast<int>(1u << bit));
  for (int bit = 2; bit < 32; ++bit) flags.push_back(static_cast<int>(1u << bit | 3u));
  return flags;
}

// `count` values below `limit`.
inline std::vector<std::uint64_t> Between(std::uint64_t limit, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> values;
  for (int i = 0; i < count; ++i) values.push_back(random() % limit);
  return values;
}

// The products of a function that carries bytes between a region of either end.
inline std::vector<Product> RdmaProducts(StepKind kind, std::vector<Remote> remotes,
                                         std::vector<Local> locals, std::uint64_t seed) {
  const bool imm = TraitsOf(kind).imm;
  const std::vector<std::uint32_t> imms{imm ? 0x01020304u : 0u};
  return {
      // every combination of the classes that ERRORS and DESCRIPTION tell apart
      {.kind = kind,
       .handle = kConnOrNull,
       .remote = kRemoteOrNull,
       .remote_offset = kOffsets,
       .local = kLocalOrNull,
       .local_offset = kOffsets,
       .len = kLengths,
       .flags = kFlagClasses,
       .imm = imms},
      // every flag bit
      {.kind = kind,
       .handle = kConnOrNull,
       .remote = kRemoteOrNull,
       .local = kLocalOrNull,
       .len = {0, 8},
       .flags = EveryFlagBit(),
       .ctx = kContexts,
       .imm = imms},
      // every kind of context
      {.kind = kind,
       .remote = kRemoteOrNull,
       .remote_offset = {0, 8},
       .local = kLocalOrNull,
       .local_offset = {0, 8},
       .len = {0, 8},
       .flags = kBothFlags,
       .ctx = kManyContexts,
       .imm = imms},
      // every kind of region
      {.kind = kind,
       .remote = std::move(remotes),
       .remote_offset = {0, 8, kSize},
       .local = std::move(locals),
       .local_offset = {0, 8},
       .len = {8, 0, kSize},
       .flags = kBothFlags,
       .ctx = {0x9},
       .imm = imms},
      // values between the classes, inside the regions and around their ends
      {.kind = kind,
       .remote_offset = Between(kSize, 8, seed),
       .local_offset = Between(kSize, 8, seed + 1),
       .len = Between(kSize, 8, seed + 2),
       .flags = kBothFlags,
       .ctx = Between(kMax, 2, seed + 3),
       .imm = imms},
      {.kind = kind,
       .remote_offset = Between(kMax, 3, seed + 4),
       .local_offset = Between(kMax, 3, seed + 5),
       .len = Between(kMax, 3, seed + 6),
       .flags = kBothFlags,
       .imm = imms},
  };
}

// Of a function that sends a message.
inline std::vector<Product> MessageProducts(StepKind kind, std::uint64_t seed) {
  const bool imm = TraitsOf(kind).imm;
  const std::vector<std::uint32_t> imms{imm ? 0x01020304u : 0u};
  return {
      // every combination of the classes that ERRORS and DESCRIPTION tell apart
      {.kind = kind,
       .handle = kConnOrNull,
       .local = kLocalOrNull,
       .local_offset = kOffsets,
       .len = kLengths,
       .flags = kFlagClasses,
       .imm = imms},
      // every flag bit
      {.kind = kind,
       .handle = kConnOrNull,
       .local = kLocalOrNull,
       .len = {0, 8},
       .flags = EveryFlagBit(),
       .ctx = kContexts,
       .imm = imms},
      // every kind of context
      {.kind = kind,
       .local = kLocalOrNull,
       .local_offset = {0, 8},
       .len = {0, 8},
       .flags = kBothFlags,
       .ctx = kManyContexts,
       .imm = imms},
      // every kind of region
      {.kind = kind,
       .local = {Local::kForeign, Local::kNoUsage},
       .local_offset = {0, 8},
       .len = {8, 0, kSize},
       .flags = kBothFlags,
       .ctx = {0x9},
       .imm = imms},
      // values between the classes, inside the region and around its end
      {.kind = kind,
       .local_offset = Between(kSize, 12, seed),
       .len = Between(kSize, 12, seed + 1),
       .flags = kBothFlags,
       .ctx = Between(kMax, 2, seed + 2),
       .imm = imms},
      {.kind = kind,
       .local_offset = Between(kMax, 4, seed + 3),
       .len = Between(kMax, 4, seed + 4),
       .flags = kBothFlags,
       .imm = imms},
  };
}

// Of a function that prepares a buffer.
inline std::vector<Product> ReceiveProducts(StepKind kind, std::uint64_t seed) {
  return {
      // every combination of the classes that ERRORS and DESCRIPTION tell apart
      {.kind = kind,
       .handle = kConnOrNull,
       .local = kLocalOrNull,
       .local_offset = kOffsets,
       .len = kLengths,
       .ctx = kContexts},
      // every kind of context
      {.kind = kind,
       .local = kLocalOrNull,
       .local_offset = {0, 8},
       .len = {0, 8},
       .ctx = kManyContexts},
      // every kind of region
      {.kind = kind,
       .local = {Local::kForeign, Local::kNoUsage},
       .local_offset = {0, 8},
       .len = {8, 0, kSize},
       .ctx = {0x9}},
      // values between the classes, inside the region and around its end
      {.kind = kind,
       .local_offset = Between(kSize, 12, seed),
       .len = Between(kSize, 12, seed + 1),
       .ctx = Between(kMax, 2, seed + 2)},
      {.kind = kind, .local_offset = Between(kMax, 4, seed + 3), .len = Between(kMax, 4, seed + 4)},
  };
}

}  // namespace conformance
