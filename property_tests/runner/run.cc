#include "property_tests/runner/run.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "property_tests/runner/pool.h"
#include "property_tests/runner/run_folder.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

class Run {
 public:
  Run(const Stack& stack, const RunOptions& options, const Selection& selection,
      const Expectations& expectations, const RunObserver& observer)
      : stack_(stack),
        options_(options),
        selection_(selection),
        expectations_(expectations),
        observer_(observer),
        tally_(stack, selection, expectations),
        pool_(options.workers) {}

  StackResult All(double& table_seconds) {
    RunParts([](const Part& part) { return !IsSecond(part.kind); });
    tally_.Settle();
    RunParts([](const Part& part) { return IsSecond(part.kind); });
    tally_.Settle();
    if (!stopped_) Phase(Replays());
    for (const spec::Rule* rule : tally_.Told()) observer_.judged(tally_.Judge(rule));
    table_seconds += tally_.table_seconds();
    return tally_.Result();
  }

 private:
  template <class Wanted>
  void RunParts(const Wanted& wanted) {
    std::vector<Part> parts;
    for (const Part& part : PlanOfEverything())
      if (wanted(part) && IsWanted(part)) parts.push_back(part);
    Phase(parts);
  }

  // Whole uses of the library are nobody's page: they are left out when one page is judged.
  bool IsWanted(const Part& part) const {
    const Half half = options_.amount.half;
    if (!IsOf(part.kind, half)) return false;
    if (part.kind == PartKind::kLives && half == Half::kModels) return true;
    if (part.kind == PartKind::kPast) return !options_.past_failures.empty();
    if (!part.function.empty()) return selection_.Wants(part.function);
    return options_.whole_uses && selection_.whole_uses &&
           std::any_of(selection_.rules.begin(), selection_.rules.end(),
                       [&](const spec::Rule* rule) {
                         return spec::FunctionOf(rule) != spec::FunctionOf(selection_.rules[0]);
                       });
  }

  // On a real NIC what never comes is waited for at length, so what is known is not shown again
  // there.
  std::vector<Part> Replays() const {
    std::vector<Part> parts;
    for (const spec::Rule* rule : tally_.results().broken())
      if (stack_.fake || expectations_.For(rule) == nullptr)
        parts.push_back({PartKind::kReplay, spec::NumberOf(rule), std::string(rule->id)});
    std::sort(parts.begin(), parts.end(),
              [](const Part& a, const Part& b) { return a.index < b.index; });
    return parts;
  }

  // What the suite failed in is judged again, without the rule that it had on trial.
  void Phase(std::vector<Part> parts) {
    const Known known = tally_.known();
    while (!parts.empty()) {
      again_.clear();
      Attempt(parts, known);
      parts = again_;
    }
  }

  void Attempt(const std::vector<Part>& parts, const Known& known) {
    if (stopped_) {
      for (const Part& part : parts) tally_.Unfinished(part);
      return;
    }
    Pool::Callbacks callbacks;
    callbacks.judge = [&](const Part& part) {
      Known without = known;
      const std::set<const spec::Rule*>& fatal = fatal_[part.name()];
      without.left_out.insert(fatal.begin(), fatal.end());
      Suite suite(stack_, options_.amount, without, BoardOf(options_.folder, part));
      std::uint64_t told = 0;
      suite.worker().OnTick([&] {
        const std::uint64_t calls = suite.worker().board().calls;
        pool_.Progress(calls - told);
        told = calls;
      });
      return suite.Run(part, options_.past_failures);
    };
    callbacks.found = [&](const Part& part, PartResult result) { Found(part, std::move(result)); };
    callbacks.stop = [&] { return Stop(); };
    for (const Part& part : pool_.Run(parts, callbacks)) tally_.Unfinished(part);
  }

  // Notes that the suite failed in this part; true if it is to be judged again.
  bool IsJudgedAgain(const Part& part, const PartResult& result) {
    constexpr std::size_t kMostFatal = 3;  // rules of one part
    if (result.outcome.ending != Ending::kInternal) return false;
    const spec::Rule* rule = RuleOnTrialOn(BoardOf(options_.folder, part));
    std::set<const spec::Rule*>& fatal = fatal_[part.name()];
    const bool again = rule != nullptr && part.kind != PartKind::kReplay &&
                       fatal.size() < kMostFatal && fatal.insert(rule).second;
    tally_.SuiteFailed(part, again ? rule : nullptr, result.outcome.sentence);
    if (again) again_.push_back(part);
    return again;
  }

  void Found(const Part& part, PartResult result) {
    if (IsJudgedAgain(part, result)) return;
    if (!options_.folder.empty()) std::filesystem::remove(BoardOf(options_.folder, part));
    tally_.Add(std::move(result));
    if (tally_.ended()) stopped_ = true;
    if (IsLastOfItsPage(part.kind))
      for (const spec::Rule* rule : selection_.rules)
        if (spec::FunctionOf(rule) == part.function) observer_.judged(tally_.Judge(rule));
    news_ = true;
  }

  static bool IsLastOfItsPage(PartKind kind) {
    return kind == PartKind::kFile || kind == PartKind::kScripts || kind == PartKind::kPrograms;
  }

  bool Stop() {
    observer_.progress(pool_.progress());
    if (news_ && observer_.advanced(tally_)) news_ = false;
    if (g_interrupted) tally_.End("interrupted", "the run was interrupted");
    if (options_.deadline && std::chrono::steady_clock::now() > *options_.deadline)
      tally_.End("time budget", "the " + options_.budget + " was over");
    if (tally_.ended()) stopped_ = true;
    return stopped_;
  }

  const Stack& stack_;
  const RunOptions& options_;
  const Selection& selection_;
  const Expectations& expectations_;
  const RunObserver& observer_;
  Tally tally_;
  Pool pool_;
  std::map<std::string, std::set<const spec::Rule*>> fatal_;  // of each part: at which it failed
  std::vector<Part> again_;
  bool stopped_ = false;
  bool news_ = false;
};

}  // namespace

StackResult RunOn(const Stack& stack, const RunOptions& options, const Selection& selection,
                  const Expectations& expectations, const RunObserver& observer,
                  double& table_seconds) {
  return Run(stack, options, selection, expectations, observer).All(table_seconds);
}

}  // namespace conformance
