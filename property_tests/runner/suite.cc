#include "property_tests/runner/suite.h"

#include <algorithm>
#include <chrono>

#include "property_tests/elf/shared_object.h"
#include "property_tests/program/meaning.h"
#include "property_tests/program/text.h"
#include "property_tests/script/functions.h"
#include "property_tests/script/script_checks.h"
#include "property_tests/script/sweep.h"
#include "property_tests/worker/table_run.h"

namespace conformance {

namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Charge ChargeOf(const std::vector<std::string>& finding) {
  Charge charge{Ending::kDone, {}, finding[2], finding[3], finding[4]};
  for (std::size_t at = 0; at < finding[1].size();) {
    const std::size_t end = finding[1].find(' ', at);
    charge.blame.push_back(spec::Catalogue()[std::stoul(finding[1].substr(at, end - at))]);
    at = end + 1;
  }
  return charge;
}

constexpr char kComesBack[] = "the call returns";

// Writes down what the runner itself judges.
class RunnersWitness final : public spec::model::Witness {
 public:
  RunnersWitness(Board& board, Results& results) : board_(board), results_(results) {}

  void Tested(const spec::Rule* rule) override { Count(board_.tested[spec::NumberOf(rule)]); }
  void Saw(const spec::Rule* rule, spec::model::Sight sight) override {
    Count(board_.seen[spec::NumberOf(rule)][static_cast<std::size_t>(sight)]);
  }
  void Broke(spec::model::Finding finding) override {
    results_.Add({Ending::kDone, std::move(finding.blame), /*text=*/"", std::move(finding.allowed),
                  std::move(finding.seen)});
  }

 private:
  Board& board_;
  Results& results_;
};

std::vector<std::string_view> NamesOfFunctions() {
  std::vector<std::string_view> names;
  for (const Function& function : AllFunctions()) names.push_back(function.name);
  return names;
}

}  // namespace

Suite::Suite(const Stack& stack, const Amount& amount)
    : stack_(stack), amount_(amount), worker_(stack, amount) {}

bool Suite::Abnormal(const Outcome& outcome) const {
  return outcome.ending == Ending::kCrashed || outcome.ending == Ending::kExited ||
         outcome.ending == Ending::kTimedOut;
}

// A hang costs seconds, so one is enough; of the others a few more are allowed, to find a smaller
// case.
void Suite::CountAbnormal(const spec::Rule* rule) {
  constexpr int kMostOfOneRule = 3;
  const Charge* charge = results_.Against(rule);
  const bool hung = charge != nullptr && charge->how == Ending::kTimedOut;
  if (hung || ++abnormal_[rule] >= kMostOfOneRule) left_out_.insert(rule);
}

bool Suite::LeftOut(const Program& program) const {
  if (left_out_.empty()) return false;
  for (const Step& step : program.steps) {
    if (!step.posts()) continue;
    const Meaning meaning = MeaningOf(step, program.config);
    if (left_out_.count(RuleOnTrial(meaning)) > 0) return true;
    for (std::size_t i = 0; i < meaning.refusals.size(); ++i)
      if (left_out_.count(meaning.refusals.rule(i)) > 0) return true;
  }
  return false;
}

Outcome Suite::RunPage(const PageChecks& checks) {
  Outcome outcome = worker_.Prepare();
  if (outcome.ending != Ending::kDone || Missing(checks.page->function)) return outcome;
  std::size_t page = 0;
  while (kAllChecks[page] != &checks) ++page;
  const auto start = Clock::now();
  const std::uint64_t before = worker_.board().calls;
  outcome = RunTable(page);
  table_cases_ += worker_.board().calls - before;
  table_seconds_ += SecondsSince(start);
  if (outcome.ending == Ending::kDone) outcome = RunSequences(checks);
  if (outcome.ending == Ending::kDone) outcome = RunPrograms(page);
  return outcome;
}

Outcome Suite::RunTable(std::size_t page) {
  for (std::size_t first = 0;; first = worker_.board().position + 1) {
    std::vector<std::string> request{std::string(ask::kTable), std::to_string(page),
                                     std::to_string(first)};
    AddLeftOut(request);
    const Outcome outcome = worker_.Ask(request, [this](const std::vector<std::string>& answer) {
      if (answer[0] == answer::kFinding) results_.Add(ChargeOf(answer));
      if (answer[0] == answer::kSkipped) skipped_ += std::stoull(answer[1]);
    });
    if (!Abnormal(outcome)) return outcome;
    const TableRun table(*kAllChecks[page], amount_, nullptr);
    const Step step = table.At(worker_.board().position);
    const Meaning meaning = MeaningOf(step, kAllChecks[page]->config);
    Charge charge{outcome.ending, {}, Print(step), kComesBack, outcome.sentence};
    for (std::size_t i = 0; i < meaning.refusals.size(); ++i)
      charge.blame.push_back(meaning.refusals.rule(i));
    if (charge.blame.empty()) charge.blame.push_back(RuleOnTrial(meaning));
    const spec::Rule* rule = charge.blame.front();
    results_.Add(std::move(charge));
    CountAbnormal(rule);
  }
}

Outcome Suite::RunProgram(const Program& program, std::vector<Charge>& charges) {
  if (LeftOut(program)) {
    ++skipped_;
    return {};
  }
  return RunCase(Print(program), charges);
}

Outcome Suite::RunCase(const std::string& text, std::vector<Charge>& charges) {
  std::vector<std::string> request{std::string(ask::kProgram), text};
  AddLeftOut(request);
  Outcome outcome = worker_.Ask(request, [&](const std::vector<std::string>& answer) {
    if (answer[0] == answer::kFinding) charges.push_back(ChargeOf(answer));
  });
  if (!Abnormal(outcome)) return outcome;
  const spec::Rule* rule = spec::Catalogue()[worker_.board().rule];
  charges.push_back({outcome.ending, {rule}, text, kComesBack, outcome.sentence});
  CountAbnormal(rule);
  return {};
}

Outcome Suite::RunSequences(const PageChecks& checks) {
  for (const char* text : checks.sequences) {
    std::vector<Charge> charges;
    const Outcome outcome = RunProgram(std::get<Program>(Parse(text)), charges);
    if (outcome.ending != Ending::kDone) return outcome;
    for (Charge& charge : charges)
      if (results_.Resolve(charge.blame) != nullptr) results_.Add(std::move(charge));
  }
  return {};
}

// One search per broken rule: once a rule has its smallest case, later cases that break it count as
// holding.
Outcome Suite::Search(std::uint64_t seed, const Engine& engine) {
  constexpr double kMostShrinkingSeconds = 10;
  constexpr int kMostRestarts = 100;
  Outcome trouble;
  std::size_t left = amount_.programs;
  for (std::uint64_t round = 0; left > 0 && trouble.ending == Ending::kDone; ++round) {
    const spec::Rule* target = nullptr;
    std::vector<Charge> smallest;
    Clock::time_point found;
    const auto holds = [&](const RunOne& run) {
      if (trouble.ending != Ending::kDone || worker_.restarts() > kMostRestarts) return true;
      if (target != nullptr && SecondsSince(found) > kMostShrinkingSeconds) return true;
      std::vector<Charge> charges;
      const Outcome outcome = run(charges);
      if (outcome.ending != Ending::kDone) trouble = outcome;
      if (charges.empty()) return true;
      const spec::Rule* rule = results_.Resolve(charges[0].blame);
      if (rule == nullptr || (target != nullptr && rule != target)) return true;
      if (target == nullptr) found = Clock::now();
      target = rule;
      smallest = std::move(charges);
      return false;
    };
    const EngineResult result = engine(seed + round * 1000003, static_cast<int>(left), holds);
    for (Charge& charge : smallest) results_.Add(std::move(charge));
    if (!result.falsified) break;
    left -= std::min<std::size_t>(left, static_cast<std::size_t>(result.passed) + 1);
  }
  return trouble;
}

// A name without a slash is one that only the loader can find.
Outcome Suite::RunFile() {
  constexpr std::size_t kFileField = 3;
  std::string file = stack_.sut;
  if (file.find('/') == std::string::npos) {
    if (Outcome outcome = worker_.Prepare(); outcome.ending != Ending::kDone) return outcome;
    file = worker_.ready()[kFileField];
  }
  std::string problem;
  const auto library = ReadSharedObject(file, problem);
  if (!library) return {Ending::kUnusable, problem};
  RunnersWitness witness(worker_.board(), results_);
  spec::librpma::Judge(*library, NamesOfFunctions(), &witness);
  return {};
}

Outcome Suite::RunPrograms(std::size_t page) {
  const ProgramShape shape{kAllChecks[page]->kind, /*alone=*/page == 0, stack_.fake};
  return Search(amount_.seed + page, [&](std::uint64_t seed, int cases, const auto& holds) {
    return CheckPrograms(shape, seed, cases, [&](const Program& program) {
      return holds([&](std::vector<Charge>& charges) { return RunProgram(program, charges); });
    });
  });
}

Outcome Suite::RunLives() {
  const Outcome outcome = worker_.Prepare();
  if (outcome.ending != Ending::kDone) return outcome;
  return Search(amount_.seed, [&](std::uint64_t seed, int cases, const auto& holds) {
    return CheckLives(seed, cases, [&](const Script& script) {
      return holds([&](std::vector<Charge>& charges) { return RunCase(Print(script), charges); });
    });
  });
}

Outcome Suite::RunScripts(std::size_t checks) {
  const ScriptChecks& page = *AllScriptChecks()[checks];
  const Outcome outcome = worker_.Prepare();
  if (outcome.ending != Ending::kDone || Missing(page.page->function)) return outcome;
  const auto text = [&](std::size_t at) { return Print(page.scripts(amount_.seed)[at]); };
  return RunList({std::string(ask::kScripts), std::to_string(checks)}, text);
}

Outcome Suite::RunSweep() {
  const Outcome outcome = worker_.Prepare();
  if (outcome.ending != Ending::kDone || !stack_.fake) return outcome;
  return RunList({std::string(ask::kSweep), "all"},
                 [](std::size_t at) { return Print(SweepCase(at).script()); });
}

// A list of cases in the worker, taken up again behind the one that ended it.
Outcome Suite::RunList(const std::vector<std::string>& list,
                       const std::function<std::string(std::size_t)>& text) {
  Outcome outcome;
  const auto start = Clock::now();
  const std::uint64_t before = worker_.board().calls;
  for (std::size_t first = 0;; first = worker_.board().position + 1) {
    std::vector<std::string> request = list;
    request.push_back(std::to_string(first));
    AddLeftOut(request);
    outcome = worker_.Ask(request, [this](const std::vector<std::string>& answer) {
      if (answer[0] == answer::kFinding) results_.Add(ChargeOf(answer));
      if (answer[0] == answer::kSkipped) skipped_ += std::stoull(answer[1]);
      if (answer[0] == answer::kFired) fired_[answer[1]][answer[2]] = std::stoi(answer[3]);
    });
    if (!Abnormal(outcome)) break;
    const spec::Rule* rule = spec::Catalogue()[worker_.board().rule];
    results_.Add(
        {outcome.ending, {rule}, text(worker_.board().position), kComesBack, outcome.sentence});
    CountAbnormal(rule);
  }
  table_cases_ += worker_.board().calls - before;
  table_seconds_ += SecondsSince(start);
  return outcome;
}

void Suite::AddLeftOut(std::vector<std::string>& request) const {
  for (const spec::Rule* rule : left_out_) request.push_back(std::to_string(spec::NumberOf(rule)));
}

bool Suite::Missing(std::string_view function) const {
  constexpr std::size_t kMissingField = 2;
  const std::vector<std::string>& ready = worker_.ready();
  return ready.size() > kMissingField &&
         ready[kMissingField].find(std::string(function) + " ") != std::string::npos;
}

// Rules about failures on demand and about what is left alive. They may have nothing to be tested
// with: a NIC that is not the fake, or a library that never makes the call.
bool Suite::NeedsFailures(const spec::Rule* rule) const {
  const spec::CallPage* page = spec::FindCallPage(spec::FunctionOf(rule));
  if (page == nullptr) return false;
  return ((rule == page->releases || rule == page->kept) && !stack_.fake) ||
         std::any_of(page->faults.begin(), page->faults.end(),
                     [&](const spec::FaultClause& clause) { return clause.rule == rule; });
}

Verdict Suite::VerdictOf(const spec::Rule* rule) {
  const std::uint64_t tested = worker_.board().tested[spec::NumberOf(rule)];
  const Verdict verdict = VerdictOn(rule, results_, tested, Missing(spec::FunctionOf(rule)));
  return verdict == Verdict::kInconclusive && NeedsFailures(rule) ? Verdict::kUnsupported : verdict;
}

}  // namespace conformance
