// A rule is one requirement of one manual page, as a value: what the whole suite counts, judges and
// reports.
#pragma once

#include <cstddef>
#include <string_view>

#include "spec/sight.h"

namespace spec {

enum class Force {
  kMust,         // a library that breaks it does not conform
  kShould,       // no page promises it, a careful library does it; judged where that is asked for
  kUnspecified,  // the page leaves it open; reported as seen
};

struct Rule {
  std::string_view id;       // page.words, never reused
  std::string_view page;     // the manual page it comes from
  std::string_view section;  // the section of that page
  Force force;
  std::string_view sentence;  // the requirement in our words
  model::Sight wanted{};      // of a should-rule: all that it allows
};

// Whether a library can break it by what it answers.
constexpr bool IsDemand(const Rule& rule) { return rule.force != Force::kUnspecified; }

// One line of a page's ERRORS section: when it forbids a call, and with which code the call is then
// refused.
template <class Arguments>
struct Clause {
  const Rule* rule;
  bool (*forbids)(const Arguments&);
  int error;
};

// The clauses that forbid one call. More than one may: which of them refuses is then open, and all
// demand a refusal.
class Refusals {
 public:
  void Add(const Rule* rule, int error) {
    rules_[count_] = rule;
    errors_[count_++] = error;
  }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Rule* rule(std::size_t i) const { return rules_[i]; }
  int error(std::size_t i) const { return errors_[i]; }
  bool Allows(int code) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (errors_[i] == code) return true;
    return false;
  }
  bool Contains(const Rule* rule) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (rules_[i] == rule) return true;
    return false;
  }

 private:
  static constexpr std::size_t kMost = 8;
  const Rule* rules_[kMost] = {};
  int errors_[kMost] = {};
  std::size_t count_ = 0;
};

// The oracle of a page's ERRORS section: every clause of `clauses` that forbids a call with these
// arguments.
template <class Arguments, class Clauses>
Refusals Forbidden(const Clauses& clauses, const Arguments& arguments) {
  Refusals refusals;
  for (const Clause<Arguments>& clause : clauses)
    if (clause.forbids(arguments)) refusals.Add(clause.rule, clause.error);
  return refusals;
}

}  // namespace spec
