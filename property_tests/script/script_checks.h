// The registered scripts of one page of calls.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "property_tests/script/script.h"
#include "spec/call_page.h"

namespace conformance {

struct ScriptChecks {
  const spec::CallPage* page;
  // In an order in which a broken clause shows by a case of its own before it shows in company.
  std::vector<Script> (*scripts)(std::uint64_t seed);
};

// Every check, in the order of the catalogue.
const std::vector<const ScriptChecks*>& AllScriptChecks();

// Every combination of these arguments as one call, after the calls of `before` and followed by
// those of `after`. In each list the first values are good; those after the first "!" are what the
// page forbids. Combinations with fewer forbidden ones come first.
struct CallProduct {
  std::string before;
  std::string function;
  std::vector<std::vector<std::string>> arguments;
  std::string after;
};
std::vector<Script> Expand(const CallProduct& product);

// Of rpma_OBJECT_set_PROPERTY and rpma_OBJECT_get_PROPERTY, on an object that rpma_OBJECT_new made.
// `values`: the first two differ; those after a "!" are forbidden.
std::vector<Script> ExpandSetter(const std::string& object, const std::string& property,
                                 std::vector<std::string> values);
std::vector<Script> ExpandGetter(const std::string& object, const std::string& property,
                                 const std::string& value);

// Scripts that are written down.
std::vector<Script> Scripts(std::initializer_list<const char*> texts);

// `text` once for each of these calls, failing at its first, second ... `most`th time: the text has
// FAULT where the failure is planned.
std::vector<Script> WithFaults(const std::string& text,
                               std::initializer_list<const char*> calls_and_errors, int most);

// All of them, in turn.
std::vector<Script> Join(std::initializer_list<std::vector<Script>> parts);

}  // namespace conformance
