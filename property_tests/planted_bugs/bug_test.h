// What the tests of single planted bugs are instantiated with: the rules that must or should hold.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spec/rule.h"

namespace conformance {

template <class Pages>
std::vector<std::string> DemandsOf(const Pages& pages) {
  std::vector<std::string> ids;
  for (const auto* page : pages)
    for (const spec::Rule* rule : page->rules)
      if (spec::IsDemand(*rule)) ids.emplace_back(rule->id);
  return ids;
}

inline std::string TestNameOfRule(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '.' || c == '-') c = '_';
  return name;
}

}  // namespace conformance
