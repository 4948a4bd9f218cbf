// The pages of calls that make, question, change and end objects: what each promises, as data that
// one judge (model/call_judge.h) reads. The data path's pages have a model of their own (page.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "spec/model/thing.h"
#include "spec/rule.h"

namespace spec {

namespace model {
class Outcome;
}

// One argument of a call, as the model sees it.
struct Argument {
  std::uint64_t word = 0;         // the value passed; of a pointer, its address
  model::Thing* thing = nullptr;  // the object behind the handle, or behind the handle it points to
  bool holds_null = false;        // it points to a handle, and that handle is NULL
  bool had_value = false;         // an earlier call has put something where it points
  std::string_view text;          // of a string
  std::size_t listener = 0;       // of a log function: which of the caller's, from 1
  std::span<const std::uint8_t> before;  // what it points to, before the call
  std::span<const std::uint8_t> after;   // and after it

  bool null() const { return word == 0; }
  // What an out-parameter holds after the call, as a number.
  std::uint64_t out() const;
  bool written() const;  // anything it points to has changed
  // What it points to is a value, though it may be the same as before.
  bool has_value() const { return had_value || written(); }
};

struct Call {
  std::string_view function;
  std::array<Argument, 9> arguments;
  std::size_t count = 0;
  model::World* world = nullptr;

  const Argument& operator[](std::size_t i) const { return arguments[i]; }
};

// A line of ERRORS about the environment: `call` fails with `error` (0: whatever errno) inside the
// function, which then returns `code`.
struct FaultClause {
  std::string_view call;
  int error;
  const Rule* rule;
  int code;
};

// A class of calls whose outcome the page leaves open.
struct OpenCase {
  const Rule* rule;
  bool (*applies)(const Call&);
};

struct CallPage {
  // The call would wait: for something that is due, or for ever.
  enum class Wait { kNone, kDue, kNever };

  std::string_view function;
  std::span<const Rule* const> rules;  // in page order
  std::span<const Clause<Call>> errors{};
  std::span<const FaultClause> faults{};
  std::span<const OpenCase> open{};
  std::span<const int> codes{};  // every error code that the page lists

  // Rules about what only a NIC shows that can be told to.
  std::span<const Rule* const> on_demand{};

  const Rule* return_value = nullptr;  // 0 or a listed code; nullptr: it returns no code
  const Rule* accepted = nullptr;      // a call that no clause forbids returns 0
  const Rule* untouched = nullptr;     // out-parameters keep their value after an error
  const Rule* releases = nullptr;      // nothing is left behind, by a failure or by a delete
  const Rule* kept = nullptr;          // what a call could not end stays, if a call can fail so

  // What success promises, and how it changes the world. What failure does, if anything.
  void (*succeeded)(model::Outcome&) = nullptr;
  void (*failed)(model::Outcome&) = nullptr;
  Wait (*waits)(const Call&) = nullptr;
  const Rule* due = nullptr;  // what is due arrives
  // The rule of an earlier call that promised what is due; nullptr if none did.
  const Rule* (*promise)(const Call&) = nullptr;
};

// Whether a rule of this page is about a failure that only a NIC shows that can be told to.
inline bool NeedsFailures(const CallPage& page, const Rule* rule) {
  const auto is_rule = [&](const auto& clause) { return clause.rule == rule; };
  return std::any_of(page.faults.begin(), page.faults.end(), is_rule) ||
         std::find(page.on_demand.begin(), page.on_demand.end(), rule) != page.on_demand.end();
}

}  // namespace spec
