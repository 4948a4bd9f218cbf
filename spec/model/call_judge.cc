#include "spec/model/call_judge.h"

#include <librpma.h>

#include <algorithm>
#include <cstring>

#include "spec/model/send_queue.h"
#include "spec/model/text.h"

namespace spec {

std::uint64_t Argument::out() const {
  std::uint64_t number = 0;
  std::memcpy(&number, after.data(), std::min(after.size(), sizeof number));
  return number;
}

bool Argument::written() const { return !std::equal(before.begin(), before.end(), after.begin()); }

namespace model {

namespace {

const FaultClause* ClauseOf(const CallPage& page, const Fault& fault) {
  for (const FaultClause& clause : page.faults)
    if (clause.call == fault.call && (clause.error == 0 || clause.error == fault.error))
      return &clause;
  return nullptr;
}

const Rule* OpenRule(const CallPage& page, const Call& call) {
  for (const OpenCase& open : page.open)
    if (open.applies(call)) return open.rule;
  return nullptr;
}

bool Listed(const CallPage& page, int code) {
  return code == 0 || std::find(page.codes.begin(), page.codes.end(), code) != page.codes.end();
}

std::string ListedCodes(const CallPage& page) {
  std::string text = "returns 0";
  for (const int code : page.codes) text += " or " + NameOfCode(code);
  return text;
}

std::string Returned(const CallPage& page, int code) {
  return Text(page.function, " returned ", NameOfCode(code));
}

void JudgeRefusals(const CallPage& page, const Refusals& refusals, int code, Witness* witness) {
  Demand demand{Demand::What::kReturns};
  for (std::size_t i = 0; i < refusals.size(); ++i) demand.Allow(refusals.error(i));
  witness->Demanded(demand);
  for (std::size_t i = 0; i < refusals.size(); ++i) witness->Tested(refusals.rule(i));
  if (refusals.Allows(code)) return;
  Finding finding{{}, "returns " + NameOfCode(refusals.error(0)), Returned(page, code)};
  for (std::size_t i = 0; i < refusals.size(); ++i) finding.blame.push_back(refusals.rule(i));
  witness->Broke(std::move(finding));
}

// A failure that the page names gives the code that it names; of others nothing is demanded but a
// listed code. What a library can do without is no should-rule's business.
void JudgeFault(Outcome& outcome, const CallPage& page, const FaultClause* clause, int code) {
  if (clause == nullptr) return;
  const Force force = clause->rule->force;
  if (force == Force::kShould && code == 0) return;
  if (force != Force::kMust) return outcome.Saw(clause->rule, SightOf(code));
  outcome.Demanded({.what = Demand::What::kReturns, .codes = {clause->code}, .code_count = 1});
  outcome.Expect(clause->rule, code == clause->code, "returns " + NameOfCode(clause->code),
                 Text(clause->call, " failed, ", Returned(page, code)));
}

void JudgeUntouched(Outcome& outcome, const CallPage& page, const Call& call) {
  if (page.untouched == nullptr) return;
  for (std::size_t i = 0; i < call.count; ++i) {
    const Argument& argument = call[i];
    if (argument.after.empty() || argument.holds_null || argument.thing != nullptr) continue;
    outcome.Demanded({.what = Demand::What::kSame, .argument = i});
    outcome.Expect(page.untouched, !argument.written(),
                   Text("argument ", i + 1, " points to what it pointed to"),
                   Text("*argument ", i + 1, " has changed"));
  }
}

// The code of a call that no clause forbids.
void JudgeCode(Outcome& outcome, const CallPage& page, const Call& call, int code,
               const Fault* fault) {
  const FaultClause* clause = fault != nullptr ? ClauseOf(page, *fault) : nullptr;
  const Rule* open = OpenRule(page, call);
  // A refusal that the page leaves open may do without the memory that it could not get.
  const bool memory = clause != nullptr && clause->code == RPMA_E_NOMEM;
  if (open != nullptr && memory && code == RPMA_E_INVAL) clause = nullptr;
  if (fault != nullptr) {
    JudgeFault(outcome, page, clause, code);
  } else if (open != nullptr) {
    outcome.Saw(open, SightOf(code));
  } else {
    outcome.Demanded({.what = Demand::What::kReturns, .code_count = 1});
    if (Listed(page, code))
      outcome.Expect(page.accepted, code == 0, "returns 0", Returned(page, code));
  }
  if (clause == nullptr)
    outcome.Expect(page.return_value, Listed(page, code), ListedCodes(page), Returned(page, code));
}

}  // namespace

void Outcome::Expect(const Rule* rule, bool holds, const std::string& allowed,
                     const std::string& seen, const Rule* promise) {
  std::vector<const Rule*> blame{rule};
  if (promise != nullptr) blame.insert(blame.begin(), promise);
  for (const Rule* one : blame) witness_->Tested(one);
  if (holds) return;
  broke_ = true;
  witness_->Broke({std::move(blame), allowed, seen});
}

void Outcome::Saw(const Rule* rule, Sight sight) {
  const std::optional<int> wanted = CodeOf(rule->wanted);
  if (rule->force == Force::kShould && witness_->strict() && wanted)
    Demanded({.what = Demand::What::kReturns, .codes = {*wanted}, .code_count = 1});
  witness_->Saw(rule, sight);
}

void Outcome::ExpectOut(const Rule* rule, std::size_t argument, std::uint64_t wanted,
                        const Rule* promise) {
  const std::uint64_t got = call_[argument].out();
  Demanded({.what = Demand::What::kNumber, .argument = argument, .number = wanted});
  Expect(rule, got == wanted, Text("*argument ", argument + 1, " is ", wanted), Text("it is ", got),
         promise);
}

void Outcome::ExpectBytes(const Rule* rule, std::size_t argument, std::size_t offset,
                          std::size_t size, std::uint64_t wanted) {
  std::uint64_t got = 0;
  std::memcpy(&got, call_[argument].after.data() + offset, size);
  Demanded({.what = Demand::What::kBytes,
            .argument = argument,
            .number = wanted,
            .offset = offset,
            .size = size});
  Expect(rule, got == wanted,
         Text("bytes ", offset, " to ", offset + size - 1, " of *argument ", argument + 1,
              " are the number ", wanted),
         Text("they are ", got));
}

void Outcome::ExpectBounded(const Rule* rule, std::size_t argument, std::size_t size) {
  const auto before = call_[argument].before.subspan(size);
  const auto after = call_[argument].after.subspan(size);
  Expect(rule, std::equal(before.begin(), before.end(), after.begin()),
         Text("only the first ", size, " bytes of *argument ", argument + 1, " are written"),
         "bytes behind them have changed");
}

void Outcome::ExpectProperty(const Rule* rule, std::size_t argument, std::string_view property) {
  const Thing& thing = *call_[0].thing;
  const auto setter = thing.setters.find(property);
  // What was set belongs to the setter's page, the default to the getter's.
  ExpectOut(rule, argument, thing.number(property),
            setter == thing.setters.end() ? nullptr : setter->second);
}

Thing* Outcome::Made(const Rule* rule, std::size_t argument, std::string_view type) {
  const std::uint64_t handle = call_[argument].out();
  const bool known = world().Find(handle, type) != nullptr;
  const bool fresh = call_[argument].has_value() && handle != 0 && !known;
  Demanded({.what = Demand::What::kHandle, .argument = argument});
  Expect(rule, fresh, Text("*argument ", argument + 1, " is the handle of a new object"),
         handle == 0 ? "it is NULL"
         : known     ? "it is the handle of an object that lives"
                     : "it has not changed");
  return fresh ? world().Make(type, handle) : nullptr;
}

void Outcome::Ended(const Rule* rule, std::size_t argument) {
  Demanded({.what = Demand::What::kNull, .argument = argument});
  Expect(rule, call_[argument].out() == 0, Text("*argument ", argument + 1, " is NULL"),
         "it is not");
  if (call_[argument].thing != nullptr) world().Remove(call_[argument].thing);
}

void Outcome::Kept(const Rule* rule, std::size_t argument) {
  const bool kept = !call_[argument].written();
  kept_ = kept;
  Demanded({.what = Demand::What::kSame, .argument = argument});
  if (!kept && call_[argument].thing != nullptr) world().Remove(call_[argument].thing);
  Expect(rule, kept, Text("*argument ", argument + 1, " is what it was"),
         call_[argument].out() == 0 ? "it is NULL" : "it has changed");
}

const Rule* RuleOnTrial(const CallPage& page, const Call& call) {
  const Refusals refusals = Forbidden(page.errors, call);
  if (!refusals.empty()) return refusals.rule(0);
  if (const Rule* open = OpenRule(page, call)) return open;
  return page.accepted != nullptr ? page.accepted : page.rules[0];
}

void Judge(const CallPage& page, const Call& call, std::int64_t returned, const Fault* fault,
           Witness* witness) {
  Outcome outcome(call, returned, fault, witness);
  if (page.return_value == nullptr) return page.succeeded(outcome);
  const int code = outcome.code();
  const Refusals refusals = Forbidden(page.errors, call);
  // A failure may come before the refusal, where the model's state is what forbids the call.
  const bool overtaken = fault != nullptr && code != 0 && !refusals.Allows(code);
  if (!refusals.empty() && !overtaken) {
    JudgeRefusals(page, refusals, code, witness);
    // What a forbidden call that succeeded has made of its arguments is past judging.
    if (code == 0) return;
  } else {
    JudgeCode(outcome, page, call, code, fault);
  }
  if (code == 0) {
    if (page.succeeded != nullptr) page.succeeded(outcome);
    return;
  }
  JudgeUntouched(outcome, page, call);
  if (page.failed != nullptr) page.failed(outcome);
  if (fault != nullptr && !outcome.kept()) call.world->had_failure = true;
}

}  // namespace model

}  // namespace spec
