// Every rule of every page, in page order: what `list` prints and what a rule's number means.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "spec/call_page.h"
#include "spec/page.h"

namespace spec {

// At least as many as there are rules, for tables of a fixed size.
inline constexpr std::size_t kMostRules = 1024;

// The pages of calls, in the order of the manual, and those of the data path.
std::span<const CallPage* const> CallPages();
std::span<const Page* const> DataPages();

// The rules about the library as a file, those of the pages of calls, then those of the data path.
std::span<const Rule* const> Catalogue();

// The rule's number in the catalogue, stable within one build; of a foreign rule the number of
// rules.
std::size_t NumberOf(const Rule* rule);

// nullptr: there is no such rule.
const Rule* FindRule(std::string_view id);

// nullptr: no page of calls is about this function.
const CallPage* FindCallPage(std::string_view function);

// The function that the rule is about, which its id names.
constexpr std::string_view FunctionOf(const Rule* rule) {
  return rule->id.substr(0, rule->id.find('.'));
}

}  // namespace spec
