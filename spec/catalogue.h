// Every rule of every page, in page order: what `list` prints and what a rule's number means.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "spec/call_catalogue.h"
#include "spec/rpma_atomic_write.h"
#include "spec/rpma_write.h"

namespace spec {

inline constexpr std::array kPages{&rpma_write::kPage, &rpma_atomic_write::kPage};
inline constexpr std::size_t kRuleCount = [] {
  std::size_t count = 0;
  for (const CallPage* page : kCallPages) count += page->rules.size();
  for (const Page* page : kPages) count += page->rules.size();
  return count;
}();

namespace internal {
constexpr std::array<const Rule*, kRuleCount> Concatenate() {
  std::array<const Rule*, kRuleCount> all{};
  std::size_t next = 0;
  for (const CallPage* page : kCallPages)
    for (const Rule* rule : page->rules) all[next++] = rule;
  for (const Page* page : kPages)
    for (const Rule* rule : page->rules) all[next++] = rule;
  return all;
}
}  // namespace internal

inline constexpr std::array<const Rule*, kRuleCount> kCatalogue = internal::Concatenate();

// The rule's number, stable within one build.
constexpr std::size_t NumberOf(const Rule* rule) {
  for (std::size_t i = 0; i < kRuleCount; ++i)
    if (kCatalogue[i] == rule) return i;
  return kRuleCount;
}

constexpr const Rule* FindRule(std::string_view id) {
  for (const Rule* rule : kCatalogue)
    if (rule->id == id) return rule;
  return nullptr;
}

// The function that the rule is about, which its id names.
constexpr std::string_view FunctionOf(const Rule* rule) {
  return rule->id.substr(0, rule->id.find('.'));
}

}  // namespace spec
