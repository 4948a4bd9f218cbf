#include "property_tests/program/argument_table.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "property_tests/program/meaning.h"

namespace conformance {

namespace {

Step Find(const std::vector<Product>& products, std::size_t index) {
  for (const Product& product : products) {
    if (index < product.size()) return product.At(index);
    index -= product.size();
  }
  return {};
}

// What a call puts on trial, and which limits it crosses: calls that agree in this are of one kind.
struct Kind {
  std::vector<const spec::Rule*> rules;
  spec::model::Signal signal;
  bool local_error, remote_error, beyond_32_bits;

  auto operator<=>(const Kind&) const = default;
};

Kind KindOf(const Step& step, std::size_t region) {
  const Meaning meaning = MeaningOf(step, region);
  Kind kind{{RuleOnTrial(meaning), meaning.operation.open_rule},
            meaning.operation.signal,
            meaning.local_error,
            meaning.operation.uncarried && step.dst_offset > region,
            step.len > UINT32_MAX};
  for (std::size_t i = 0; i < meaning.refusals.size(); ++i)
    kind.rules.push_back(meaning.refusals.rule(i));
  return kind;
}

}  // namespace

std::size_t Product::size() const {
  return conn.size() * dst.size() * dst_offset.size() * src.size() * src_offset.size() *
         len.size() * flags.size() * ctx.size();
}

Step Product::At(std::size_t index) const {
  const auto digit = [&index](const auto& list) {
    const std::size_t i = index % list.size();
    index /= list.size();
    return list[i];
  };
  Step step;
  step.kind = kind;
  step.ctx = digit(ctx);
  step.flags = digit(flags);
  step.src_offset = digit(src_offset);
  step.dst_offset = digit(dst_offset);
  step.len = digit(len);
  step.src = digit(src);
  step.dst = digit(dst);
  step.conn = digit(conn);
  return step;
}

ArgumentTable::ArgumentTable(std::vector<Product> products, std::size_t region)
    : region_(region), products_(std::move(products)) {
  constexpr std::size_t kMostClauses = 8;
  std::array<std::vector<std::uint32_t>, kMostClauses> by_clauses;
  std::uint32_t index = 0;
  for (const Product& product : products_)
    for (std::size_t i = 0; i < product.size(); ++i, ++index)
      by_clauses[MeaningOf(product.At(i), region).refusals.size()].push_back(index);
  for (const std::vector<std::uint32_t>& part : by_clauses)
    order_.insert(order_.end(), part.begin(), part.end());
}

Step ArgumentTable::At(std::size_t position) const { return Find(products_, order_[position]); }

std::vector<std::uint32_t> ArgumentTable::Sample(std::size_t more, std::uint64_t seed) const {
  constexpr int kOfEachKind = 2;
  std::map<Kind, int> taken;
  std::set<std::uint32_t> sample;
  for (std::uint32_t position = 0; position < size(); ++position)
    if (taken[KindOf(At(position), region_)]++ < kOfEachKind) sample.insert(position);
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < more; ++i)
    sample.insert(static_cast<std::uint32_t>(random() % size()));
  return {sample.begin(), sample.end()};
}

}  // namespace conformance
