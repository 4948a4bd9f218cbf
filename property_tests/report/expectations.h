// What is known to be broken, as data: a TOML file whose entries name a stack, a rule and the
// reason.
//
//   [[expected]]
//   stack = "* on fake"                   # a glob over "LIBRARY on NIC"; every stack if left out
//   rule = "rpma_write.length-whole"      # a glob over rule ids
//   reason = "a length beyond 32 bits is cut (D1)"
//   link = "https://..."                  # may be left out
//
// Listed rules still run. One that no case could put to the test, because something else that is
// broken stands in the way, is as expected. One that holds after all is an error, and so is an
// entry that names no rule: the file has to go with the library.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "property_tests/stack.h"
#include "spec/rule.h"

namespace conformance {

struct Expectation {
  std::string rule;
  std::string reason;
  std::string link;
};

class Expectations {
 public:
  Expectations() = default;

  // What the file says of this stack; or what is wrong with the file, in a sentence.
  static std::variant<Expectations, std::string> Load(const std::string& file, const Stack& stack);

  // Why this rule is expected to be broken; nullptr if it is not.
  const Expectation* For(const spec::Rule* rule) const;

 private:
  std::vector<Expectation> entries_;
};

// "LIBRARY on fake" or "LIBRARY on system".
std::string NameOf(const Stack& stack);

}  // namespace conformance
