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
  std::vector<bool> handle{true};
  std::vector<Remote> remote{Remote::kGood};
  std::vector<std::uint64_t> remote_offset{0};
  std::vector<Local> local{Local::kGood};
  std::vector<std::uint64_t> local_offset{0};
  std::vector<std::uint64_t> len{8};
  std::vector<int> flags{3};
  std::vector<std::uint64_t> ctx{0x7};
  std::vector<std::uint32_t> imm{0};
  std::vector<int> type{1};
  std::vector<bool> direct_write{false};

  std::size_t size() const;
  Step At(std::size_t index) const;
};

// All products of a page as one table, ordered so that calls which no clause forbids come first,
// then those that one clause forbids, then the rest: a broken clause shows by a case of its own
// before it shows in company.
class ArgumentTable {
 public:
  ArgumentTable(std::vector<Product> products, const Config& config);

  std::size_t size() const { return order_.size(); }
  Step At(std::size_t position) const;

  // A sample for slow NICs, in table order: of every kind of call (by the rules that it puts on
  // trial) the first two, and up to `more` others that `seed` picks.
  std::vector<std::uint32_t> Sample(std::size_t more, std::uint64_t seed) const;

 private:
  Config config_;
  std::vector<Product> products_;
  std::vector<std::uint32_t> order_;
};

}  // namespace conformance
