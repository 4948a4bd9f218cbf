// What the model tells while it watches a connection: which rules a case put to the test, what it
// saw where a page is silent, and which rule was broken.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "spec/rule.h"

namespace spec::model {

// A broken rule. The first of `blame` is charged, unless one of the others fails by a case of its
// own.
struct Finding {
  std::vector<const Rule*> blame;
  std::string allowed;  // every allowed outcome
  std::string seen;     // what happened
};

// What a call owes, where it is a value that a C program can compare. Arguments count from 0.
struct Demand {
  enum class What {
    kReturns,  // one of `codes`
    kNumber,   // *argument is `number`
    kBytes,    // `size` bytes from `offset` of what it points to are `number`
    kNull,     // *argument is NULL
    kHandle,   // *argument is the handle of a new object
    kSame,     // *argument is what it was
  };
  What what;
  std::size_t argument = 0;
  std::uint64_t number = 0;
  std::size_t offset = 0;
  std::size_t size = 0;
  std::array<int, 8> codes{};
  std::size_t code_count = 0;

  void Allow(int code) {
    if (code_count < codes.size()) codes[code_count++] = code;
  }
};

class Witness {
 public:
  virtual ~Witness() = default;
  // Told of each such demand, met or not.
  virtual void Demanded(const Demand& /*demand*/) {}
  virtual void Tested(const Rule* rule) = 0;
  virtual void Broke(Finding finding) = 0;
  // Whether should-rules are judged; else nothing is said of them.
  virtual bool strict() const { return false; }
  // What was seen where the page leaves the outcome open. A should-rule wants one of the outcomes.
  void Saw(const Rule* rule, Sight sight);

 private:
  virtual void Noted(const Rule* rule, Sight sight) = 0;
};

inline void Witness::Saw(const Rule* rule, Sight sight) {
  if (rule->force != Force::kShould) return Noted(rule, sight);
  if (!strict()) return;
  Tested(rule);
  if (sight != rule->wanted)
    Broke({{rule}, std::string(NameOf(rule->wanted)), std::string(NameOf(sight))});
}

}  // namespace spec::model
