#include "property_tests/runner/tally.h"

#include <algorithm>

#include "property_tests/script/allocation_faults.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

// Of a worker's `ready` answer.
constexpr std::size_t kMissingField = 2;
constexpr std::size_t kNoConnectionField = 4;

}  // namespace

std::string ShellWord(const std::string& word) {
  if (!word.empty() && word.find_first_of(" ;'\"$&|<>()*?#\\`!{}[]~\n") == std::string::npos)
    return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string_view NameOf(spec::Force force) {
  if (force == spec::Force::kMust) return "must";
  return force == spec::Force::kShould ? "should" : "unspecified";
}

bool Selection::Wants(std::string_view function) const {
  return std::any_of(rules.begin(), rules.end(), [&](const spec::Rule* rule) {
    return spec::FunctionOf(rule) == function && disabled.count(rule) == 0;
  });
}

void Tally::Add(PartResult part) {
  constexpr std::string_view kReplayOf = "replay of ";
  if (part.part.compare(0, kReplayOf.size(), kReplayOf) == 0) {
    const spec::Rule* rule = spec::FindRule(part.part.substr(kReplayOf.size()));
    return AddReplay(rule, std::move(part));
  }
  for (const auto& [rule, count] : part.tested) tested_[rule] += count;
  for (const auto& [rule, counts] : part.seen)
    for (std::size_t i = 0; i < counts.size(); ++i) seen_[rule][i] += counts[i];
  left_out_.insert(part.left_out.begin(), part.left_out.end());
  for (const auto& [scenario, calls] : part.fired) fired_[scenario] = calls;
  if (ready_.empty()) ready_ = part.ready;
  cases_ += part.cases;
  table_cases_ += part.table_cases;
  table_seconds_ += part.table_seconds;
  skipped_ += part.skipped;
  in_one_process_ += part.in_one_process;
  if (part.outcome.ending == Ending::kUnusable) End("environment", part.outcome.sentence);
  for (Charge& charge : part.charges) {
    if (charge.secondary)
      secondary_.push_back(std::move(charge));
    else
      results_.Add(std::move(charge));
  }
}

// A replay may find that another rule is to blame.
void Tally::AddReplay(const spec::Rule* rule, PartResult part) {
  const Charge* old = results_.Against(rule);
  if (!part.charges.empty() && old != nullptr) {
    const std::vector<const spec::Rule*> blame = old->blame;
    rule = part.charges[0].blame[0];
    results_.Replace(blame, std::move(part.charges[0]));
  }
  replays_[rule] = std::move(part);
}

void Tally::Settle() {
  for (Charge& charge : secondary_)
    if (results_.Resolve(charge.blame) != nullptr) results_.Add(std::move(charge));
  secondary_.clear();
}

void Tally::SuiteFailed(const Part& part, const spec::Rule* rule, const std::string& sentence) {
  if (rule != nullptr)
    internal_rules_.insert(rule);
  else
    internal_.insert(part.function);
  if (!internal_sentence_.empty()) return;
  internal_sentence_ = sentence;
  if (rule != nullptr) internal_sentence_ += ", with " + std::string(rule->id) + " on trial";
}

void Tally::End(const std::string& ending, const std::string& sentence) {
  if (ended()) return;
  ending_ = ending;
  sentence_ = sentence;
}

std::uint64_t Tally::Tested(const spec::Rule* rule) const {
  const auto found = tested_.find(rule);
  return found == tested_.end() ? 0 : found->second;
}

bool Tally::Missing(std::string_view function) const {
  return ready_.size() > kMissingField &&
         (" " + ready_[kMissingField]).find(" " + std::string(function) + " ") != std::string::npos;
}

// A device takes what it has done out of a queue whenever it likes, so that one may never be full.
bool Tally::IsAboutRefusedPosts(const spec::Rule* rule) {
  const auto pages = spec::DataPages();
  return std::any_of(pages.begin(), pages.end(),
                     [&](const spec::Page* page) { return page->post_failed == rule; });
}

// Rules about failures on demand and about what is left alive. They may have nothing to be tested
// with: a NIC that is not the fake, or a library that never makes the call.
bool Tally::NeedsFailures(const spec::Rule* rule) const {
  const spec::CallPage* page = spec::FindCallPage(spec::FunctionOf(rule));
  if (page == nullptr) return !stack_.fake && IsAboutRefusedPosts(rule);
  return ((rule == page->releases || rule == page->kept) && !stack_.fake) ||
         spec::NeedsFailures(*page, rule);
}

// Whether the calls whose failures the rule is about would have failed, had the library made them:
// every call of the fake can, and this library's allocations if they did elsewhere.
bool Tally::CouldFail(const spec::Rule* rule) const {
  const spec::CallPage* page = spec::FindCallPage(spec::FunctionOf(rule));
  return stack_.fake && (!IsAboutMemory(*page, rule) || AllocationsFail());
}

// About failing allocations, and nothing else.
bool Tally::IsAboutMemory(const spec::CallPage& page, const spec::Rule* rule) {
  const auto is_rule = [&](const auto& clause) { return clause.rule == rule; };
  return std::any_of(page.faults.begin(), page.faults.end(), is_rule) &&
         std::all_of(page.faults.begin(), page.faults.end(), [&](const auto& clause) {
           return !is_rule(clause) || AllocationFaults::Knows(clause.call);
         });
}

bool Tally::AllocationsFail() const {
  const auto pages = spec::CallPages();
  return std::any_of(pages.begin(), pages.end(), [&](const spec::CallPage* page) {
    return std::any_of(page->rules.begin(), page->rules.end(), [&](const spec::Rule* rule) {
      return IsAboutMemory(*page, rule) && Tested(rule) > 0;
    });
  });
}

bool Tally::IsFlaky(const spec::Rule* rule) const {
  const auto replay = replays_.find(rule);
  return replay != replays_.end() && replay->second.replays > 0 && replay->second.reproduced == 0 &&
         replay->second.outcome.ending == Ending::kDone;
}

Verdict Tally::VerdictOf(const spec::Rule* rule) const {
  if (selection_.disabled.count(rule) > 0) return Verdict::kDisabled;
  const Verdict verdict = VerdictOn(rule, results_, Tested(rule), Missing(spec::FunctionOf(rule)));
  if (IsBroken(verdict) && verdict != Verdict::kMissing && IsFlaky(rule)) return Verdict::kFlaky;
  if (IsBroken(verdict)) return verdict;
  if (internal_rules_.count(rule) > 0 || internal_.count(spec::FunctionOf(rule)) > 0)
    return Verdict::kInternal;
  const bool nothing_seen = verdict == Verdict::kSeen && seen_.count(rule) == 0;
  if (nothing_seen && ending_ == "environment") return Verdict::kEnvironment;
  if (verdict != Verdict::kInconclusive) return verdict;
  if (ending_ == "environment") return Verdict::kEnvironment;
  if (!NeedsFailures(rule) || ended()) return verdict;
  return CouldFail(rule) ? Verdict::kMoot : Verdict::kUnsupported;
}

RuleResult Tally::Judge(const spec::Rule* rule) const {
  RuleResult result;
  result.rule = rule->id;
  result.page = rule->page;
  result.section = rule->section;
  result.force = NameOf(rule->force);
  result.sentence = rule->sentence;
  result.cases = Tested(rule);
  result.verdict = VerdictOf(rule);
  if (const auto seen = seen_.find(rule); seen != seen_.end())
    for (std::size_t i = 0; i < seen->second.size(); ++i)
      if (seen->second[i] > 0)
        result.sightings.push_back(
            {seen->second[i], std::string(NameOf(static_cast<spec::model::Sight>(i)))});
  const Charge* charge = results_.Against(rule);
  if (IsBroken(result.verdict) && charge != nullptr) {
    result.was_broken = true;
    result.counterexample = CounterexampleOf(rule, *charge);
  }
  Reason(rule, result);
  return result;
}

void Tally::Reason(const spec::Rule* rule, RuleResult& result) const {
  switch (result.verdict) {
    case Verdict::kDisabled:
      result.reason = selection_.disabled.at(rule);
      return;
    case Verdict::kMissing:
      result.reason = "the library does not export " + result.function();
      break;
    case Verdict::kMoot:
      result.reason = "the library makes no call whose failure this rule is about";
      return;
    case Verdict::kUnsupported:
      result.reason =
          stack_.fake ? "no rule of this run has made an allocation of the library fail"
                      : "needs failures on demand and counts of objects, which only the fake has";
      return;
    case Verdict::kInconclusive:
      result.reason = "no case put this rule to the test";
      if (ended()) result.reason += ": " + sentence_;
      if (!ended() && ready_.size() > kNoConnectionField &&
          spec::FindCallPage(result.function()) == nullptr && !ready_[kNoConnectionField].empty())
        result.reason += ": " + ready_[kNoConnectionField];
      break;
    case Verdict::kFlaky:
      result.reason = "broken once, and not in " + std::to_string(result.counterexample.replays) +
                      " replays of the case";
      break;
    case Verdict::kEnvironment:
      result.reason = sentence_;
      return;
    case Verdict::kInternal:
      result.reason = internal_sentence_;
      return;
    default:
      break;
  }
  const Expectation* expected = expectations_.For(rule);
  if (expected == nullptr) return;
  result.link = expected->link;
  if (result.verdict == Verdict::kPass) {
    result.verdict = Verdict::kUnexpected;
    result.reason = "holds; the expectations say: " + expected->reason;
  } else if (IsBroken(result.verdict) || (result.verdict == Verdict::kInconclusive && !ended())) {
    // What stands in the way of a rule may be what is known to be broken.
    result.reason =
        "expected: " + expected->reason + (result.reason.empty() ? "" : "; " + result.reason);
    result.verdict = Verdict::kExpected;
  }
}

Counterexample Tally::CounterexampleOf(const spec::Rule* rule, const Charge& charge) const {
  Counterexample shown{
      charge.text, charge.allowed, charge.seen, charge.stack, charge.output, "", 0, 0, {}};
  if (charge.text.empty()) return shown;
  std::vector<std::string> cases{charge.text};
  if (const auto replay = replays_.find(rule); replay != replays_.end()) {
    shown.replays = replay->second.replays;
    shown.reproduced = replay->second.reproduced;
    shown.trace = replay->second.trace;
    if (!replay->second.again.empty()) cases = replay->second.again;
  }
  shown.replay = "rpma-conformance replay --sut " + ShellWord(stack_.sut) + " --nic " +
                 (stack_.fake ? "fake" : "system --addr " + stack_.address);
  if (stack_.ends == Ends::kTwoProcesses) shown.replay += " --ends two-processes";
  if (rule->force == spec::Force::kShould) shown.replay += " --strict";
  for (const std::string& text : cases) shown.replay += ' ' + ShellWord(text);
  return shown;
}

StackResult Tally::Result() const {
  StackResult result;
  result.library = stack_.sut;
  result.nic = stack_.fake ? "fake" : "system";
  if (ready_.size() > 1) result.verbs = ready_[1];
  result.address = stack_.address;
  if (stack_.ends == Ends::kTwoProcesses) {
    result.ends = "two processes";
    result.in_one_process = in_one_process_;
  }
  result.ending = internal_sentence_.empty() ? ending_ : "internal";
  result.sentence = internal_sentence_.empty() ? sentence_ : internal_sentence_;
  result.unfinished = unfinished_;
  result.cases = cases_;
  result.argument_cases = table_cases_;
  result.left_out = skipped_;
  for (const spec::Rule* rule : Told()) result.rules.push_back(Judge(rule));
  return result;
}

std::vector<const spec::Rule*> Tally::Told() const {
  std::vector<const spec::Rule*> told = selection_.rules;
  const std::set<const spec::Rule*> asked(told.begin(), told.end());
  for (const spec::Rule* rule : results_.broken())
    if (asked.count(rule) == 0 && selection_.told_if_broken.count(rule) > 0) told.push_back(rule);
  std::sort(told.begin(), told.end(),
            [](auto* a, auto* b) { return spec::NumberOf(a) < spec::NumberOf(b); });
  return told;
}

}  // namespace conformance
