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

Kind KindOf(const Step& step, const Config& config) {
  const Meaning meaning = MeaningOf(step, config);
  Kind kind{{RuleOnTrial(meaning), meaning.operation.open_rule},
            meaning.operation.signal,
            meaning.local_error,
            meaning.operation.uncarried && step.remote_offset > config.region,
            step.len > UINT32_MAX};
  for (std::size_t i = 0; i < meaning.refusals.size(); ++i)
    kind.rules.push_back(meaning.refusals.rule(i));
  return kind;
}

}  // namespace

std::size_t Product::size() const {
  return handle.size() * remote.size() * remote_offset.size() * local.size() * local_offset.size() *
         len.size() * flags.size() * ctx.size() * imm.size() * type.size() * direct_write.size();
}

Step Product::At(std::size_t index) const {
  const auto digit = [&index](const auto& list) {
    const std::size_t i = index % list.size();
    index /= list.size();
    return list[i];
  };
  Step step;
  step.kind = kind;
  step.imm = digit(imm);
  step.ctx = digit(ctx);
  step.flags = digit(flags);
  step.local_offset = digit(local_offset);
  step.remote_offset = digit(remote_offset);
  step.len = digit(len);
  step.direct_write = digit(direct_write);
  step.type = digit(type);
  step.local = digit(local);
  step.remote = digit(remote);
  step.handle = digit(handle);
  return step;
}

ArgumentTable::ArgumentTable(std::vector<Product> products, const Config& config)
    : config_(config), products_(std::move(products)) {
  constexpr std::size_t kMostClauses = 8;
  std::array<std::vector<std::uint32_t>, kMostClauses> by_clauses;
  std::uint32_t index = 0;
  for (const Product& product : products_)
    for (std::size_t i = 0; i < product.size(); ++i, ++index)
      by_clauses[MeaningOf(product.At(i), config).refusals.size()].push_back(index);
  for (const std::vector<std::uint32_t>& part : by_clauses)
    order_.insert(order_.end(), part.begin(), part.end());
}

Step ArgumentTable::At(std::size_t position) const { return Find(products_, order_[position]); }

std::vector<std::uint32_t> ArgumentTable::Sample(std::size_t more, std::uint64_t seed) const {
  constexpr int kOfEachKind = 2;
  std::map<Kind, int> taken;
  std::set<std::uint32_t> sample;
  for (std::uint32_t position = 0; position < size(); ++position)
    if (taken[KindOf(At(position), config_)]++ < kOfEachKind) sample.insert(position);
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < more; ++i)
    sample.insert(static_cast<std::uint32_t>(random() % size()));
  return {sample.begin(), sample.end()};
}

}  // namespace conformance
