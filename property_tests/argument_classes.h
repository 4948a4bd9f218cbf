// Classes of values that more than one page's products use. Regions have kSize bytes there.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace conformance {

inline constexpr std::size_t kSize = 64;
inline constexpr std::uint64_t kMax = UINT64_MAX;

inline const std::vector<bool> kConnOrNull{true, false};
inline const std::vector<int> kBothFlags{3, 1};
// ALWAYS, ON_ERROR, none, the bit that only ALWAYS has, undefined bits alone, and all bits.
inline const std::vector<int> kFlagClasses{3, 1, 0, 2, 4, INT_MIN, -1};
inline const std::vector<std::uint64_t> kContexts{0x7, 0xfedcba9876543210};
inline const std::vector<std::uint64_t> kManyContexts{
    0, 1, 0x80000000, 0x100000000, 0x7fff00001234, kMax};

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

}  // namespace conformance
