#include "property_tests/runner/suite.h"

#include <algorithm>
#include <chrono>

#include "property_tests/elf/shared_object.h"
#include "property_tests/program/meaning.h"
#include "property_tests/program/text.h"
#include "property_tests/runner/rapidcheck_engine.h"
#include "property_tests/script/functions.h"
#include "property_tests/script/script_checks.h"
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
    for (const spec::Rule* rule : left_out_)
      request.push_back(std::to_string(spec::NumberOf(rule)));
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
  const std::string text = Print(program);
  Outcome outcome =
      worker_.Ask({std::string(ask::kProgram), text}, [&](const std::vector<std::string>& answer) {
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

// One search per broken rule: once a rule has its smallest program, later programs that break it
// count as holding.
Outcome Suite::RunPrograms(std::size_t page) {
  constexpr double kMostShrinkingSeconds = 10;
  constexpr int kMostRestarts = 100;
  const ProgramShape shape{kAllChecks[page]->kind, /*alone=*/page == 0, stack_.fake};
  Outcome trouble;
  std::size_t left = amount_.programs;
  for (std::uint64_t round = 0; left > 0 && trouble.ending == Ending::kDone; ++round) {
    const spec::Rule* target = nullptr;
    std::vector<Charge> smallest;
    Clock::time_point found;
    const auto holds = [&](const Program& program) {
      if (trouble.ending != Ending::kDone || worker_.restarts() > kMostRestarts) return true;
      if (target != nullptr && SecondsSince(found) > kMostShrinkingSeconds) return true;
      std::vector<Charge> charges;
      const Outcome outcome = RunProgram(program, charges);
      if (outcome.ending != Ending::kDone) trouble = outcome;
      if (charges.empty()) return true;
      const spec::Rule* rule = results_.Resolve(charges[0].blame);
      if (rule == nullptr || (target != nullptr && rule != target)) return true;
      if (target == nullptr) found = Clock::now();
      target = rule;
      smallest = std::move(charges);
      return false;
    };
    const std::uint64_t seed = amount_.seed + round * 1000003 + page;
    const EngineResult result = CheckPrograms(shape, seed, static_cast<int>(left), holds);
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

Outcome Suite::RunScripts(std::size_t checks) {
  const ScriptChecks& page = *AllScriptChecks()[checks];
  Outcome outcome = worker_.Prepare();
  if (outcome.ending != Ending::kDone || Missing(page.page->function)) return outcome;
  const auto start = Clock::now();
  const std::uint64_t before = worker_.board().calls;
  for (std::size_t first = 0;; first = worker_.board().position + 1) {
    std::vector<std::string> request{std::string(ask::kScripts), std::to_string(checks),
                                     std::to_string(first)};
    for (const spec::Rule* rule : left_out_)
      request.push_back(std::to_string(spec::NumberOf(rule)));
    outcome = worker_.Ask(request, [this](const std::vector<std::string>& answer) {
      if (answer[0] == answer::kFinding) results_.Add(ChargeOf(answer));
      if (answer[0] == answer::kSkipped) skipped_ += std::stoull(answer[1]);
    });
    if (!Abnormal(outcome)) break;
    const std::vector<Script> scripts = page.scripts(amount_.seed);
    const spec::Rule* rule = spec::Catalogue()[worker_.board().rule];
    results_.Add({outcome.ending,
                  {rule},
                  Print(scripts[worker_.board().position]),
                  kComesBack,
                  outcome.sentence});
    CountAbnormal(rule);
  }
  table_cases_ += worker_.board().calls - before;
  table_seconds_ += SecondsSince(start);
  return outcome;
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
