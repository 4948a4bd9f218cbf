// Argument products: for each argument the classes that a page tells apart, and every combination
// of them as one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "property_tests/program/program.h"

namespace conformance {

// One product. Every list has at least one value.
struct Product {
  StepKind kind;
  std::vector<bool> conn;
  std::vector<Target> dst;
  std::vector<std::uint64_t> dst_offset;
  std::vector<Source> src;
  std::vector<std::uint64_t> src_offset;  // {0} for an atomic write
  std::vector<std::uint64_t> len;         // {8} for an atomic write
  std::vector<int> flags;
  std::vector<std::uint64_t> ctx;

  std::size_t size() const;
  Step At(std::size_t index) const;
};

// All products of a page as one table, ordered so that calls which no clause forbids come first,
// then those that one clause forbids, then the rest: a broken clause shows by a case of its own
// before it shows in company.
class ArgumentTable {
 public:
  ArgumentTable(std::vector<Product> products, std::size_t region);

  std::size_t size() const { return order_.size(); }
  Step At(std::size_t position) const;

  // A sample for slow NICs, in table order: of every kind of call (by the rules that it puts on
  // trial) the first two, and up to `more` others that `seed` picks.
  std::vector<std::uint32_t> Sample(std::size_t more, std::uint64_t seed) const;

 private:
  std::size_t region_;
  std::vector<Product> products_;
  std::vector<std::uint32_t> order_;
};

}  // namespace conformance
