#include "property_tests/report/expectations.h"

#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "property_tests/glob.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

bool NamesARule(const std::string& glob) {
  return std::any_of(spec::Catalogue().begin(), spec::Catalogue().end(),
                     [&](const spec::Rule* rule) { return Matches(glob, rule->id); });
}

// What is wrong with an entry; "" if nothing is.
std::string Problem(const toml::table& entry) {
  for (const auto& [key, value] : entry) {
    if (key != "stack" && key != "rule" && key != "reason" && key != "link")
      return "'" + std::string(key.str()) +
             "' is no key of an entry; stack, rule, reason, link are";
    if (!value.is_string()) return std::string(key.str()) + ": expected a string";
  }
  const std::string rule = entry["rule"].value_or("");
  if (rule.empty()) return "an entry without rule";
  if (entry["reason"].value_or(std::string_view()).empty())
    return "rule '" + rule + "' has no reason";
  if (!NamesARule(rule))
    return "rule '" + rule + "' names no rule; `rpma-conformance list` has all";
  return "";
}

}  // namespace

std::string NameOf(const Stack& stack) {
  return stack.sut + " on " + (stack.fake ? "fake" : "system");
}

std::variant<Expectations, std::string> Expectations::Load(const std::string& file,
                                                           const Stack& stack) try {
  const toml::table document = toml::parse_file(file);
  Expectations expectations;
  const toml::array* entries = document["expected"].as_array();
  if (entries == nullptr || document.size() != 1)
    return file + ": expected entries that begin with [[expected]], and nothing else";
  for (const toml::node& node : *entries) {
    const toml::table* entry = node.as_table();
    const std::string problem = entry == nullptr ? "an entry is no table" : Problem(*entry);
    if (!problem.empty())
      return file + ":" + std::to_string(node.source().begin.line) + ": " + problem;
    if (!Matches((*entry)["stack"].value_or("*"), NameOf(stack))) continue;
    expectations.entries_.push_back({(*entry)["rule"].value_or(""), (*entry)["reason"].value_or(""),
                                     (*entry)["link"].value_or("")});
  }
  return expectations;
} catch (const toml::parse_error& error) {
  std::ostringstream sentence;
  sentence << file << ":" << error.source().begin.line << ": " << error.description();
  return sentence.str();
}

const Expectation* Expectations::For(const spec::Rule* rule) const {
  for (const Expectation& entry : entries_)
    if (Matches(entry.rule, rule->id)) return &entry;
  return nullptr;
}

}  // namespace conformance
