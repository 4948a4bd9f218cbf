#include "property_tests/runner/suite.h"

#include <algorithm>
#include <chrono>

#include "property_tests/elf/shared_object.h"
#include "property_tests/program/meaning.h"
#include "property_tests/program/text.h"
#include "property_tests/script/functions.h"
#include "property_tests/script/script_checks.h"
#include "property_tests/script/sweep.h"
#include "property_tests/worker/board_witness.h"
#include "property_tests/worker/table_run.h"

namespace conformance {

namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Charge ChargeOf(const std::vector<std::string>& finding) {
  Charge charge{Ending::kDone, {}, finding[2], finding[3], finding[4]};
  if (!finding[5].empty()) charge.position = std::stoul(finding[5]);
  for (std::size_t at = 0; at < finding[1].size();) {
    const std::size_t end = finding[1].find(' ', at);
    charge.blame.push_back(spec::Catalogue()[std::stoul(finding[1].substr(at, end - at))]);
    at = end + 1;
  }
  return charge;
}

constexpr char kComesBack[] = "the call returns";

Charge ChargeOf(const Outcome& outcome, std::vector<const spec::Rule*> blame, std::string text) {
  return {outcome.ending,   std::move(blame), std::move(text), kComesBack,
          outcome.sentence, outcome.stack,    outcome.output};
}

// Writes down what the runner itself judges.
class RunnersWitness final : public BoardWitness {
 public:
  RunnersWitness(Board& board, std::function<void(Charge)> charge)
      : BoardWitness(&board), charge_(std::move(charge)) {}

  void Broke(spec::model::Finding finding) override {
    charge_({Ending::kDone, std::move(finding.blame), /*text=*/"", std::move(finding.allowed),
             std::move(finding.seen)});
  }

 private:
  std::function<void(Charge)> charge_;
};

std::vector<std::string_view> NamesOfFunctions() {
  std::vector<std::string_view> names;
  for (const Function& function : AllFunctions()) names.push_back(function.name);
  return names;
}

}  // namespace

Suite::Suite(const Stack& stack, const Amount& amount, Known known, const std::string& board_file)
    : stack_(stack),
      amount_(amount),
      worker_(stack, amount, board_file),
      results_(std::move(known.results)),
      left_out_(std::move(known.left_out)) {}

PartResult Suite::Run(const Part& part, const std::vector<std::string>& past_failures) {
  result_ = {};
  result_.part = part.name();
  Board& board = worker_.board();
  Write(board.part, result_.part);
  result_.outcome = RunPart(part, past_failures);
  result_.cases = board.calls;
  result_.in_one_process = board.in_one_process.load();
  result_.ready = worker_.ready();
  result_.left_out = left_out_;
  for (const spec::Rule* rule : spec::Catalogue()) {
    const std::size_t number = spec::NumberOf(rule);
    if (board.tested[number] > 0) result_.tested[rule] = board.tested[number];
    for (std::size_t i = 0; i < spec::model::kSightCount; ++i)
      if (board.seen[number][i] > 0) result_.seen[rule][i] = board.seen[number][i];
  }
  return std::move(result_);
}

Outcome Suite::RunPart(const Part& part, const std::vector<std::string>& past_failures) {
  if (part.kind == PartKind::kFile) return RunFile();
  if (Outcome outcome = worker_.Prepare(); outcome.ending != Ending::kDone) return outcome;
  switch (part.kind) {
    case PartKind::kPast:
      return RunPast(past_failures);
    case PartKind::kScripts:
      return RunScripts(part);
    case PartKind::kTable:
      return RunTable(part);
    case PartKind::kPrograms:
      return RunPrograms(part.index);
    case PartKind::kSweep:
      return RunSweep(part);
    case PartKind::kLives:
      return RunLives();
    default:
      return Reproduce(spec::Catalogue()[part.index]);
  }
}

void Suite::Add(Charge charge) {
  charge.part = result_.part;
  result_.charges.push_back(charge);
  results_.Add(std::move(charge));
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

Outcome Suite::RunTable(const Part& part) {
  const PageChecks& checks = *kAllChecks[part.index];
  if (Missing(checks.page->function)) return {};
  const auto start = Clock::now();
  Outcome outcome = RunList(*ListOf(part, amount_));
  result_.table_cases = worker_.board().calls;
  result_.table_seconds = SecondsSince(start);
  return outcome.ending == Ending::kDone ? RunSequences(checks) : outcome;
}

Outcome Suite::RunProgram(const Program& program, std::vector<Charge>& charges) {
  if (LeftOut(program)) {
    ++result_.skipped;
    return {};
  }
  return RunCase(Print(program), charges);
}

Outcome Suite::RunCase(const std::string& text, std::vector<Charge>& charges) {
  std::vector<std::string> request{std::string(ask::kProgram), text};
  AddLeftOut(request);
  Write(worker_.board().text, text);
  Outcome outcome = worker_.Ask(request, [&](const std::vector<std::string>& answer) {
    if (answer[0] == answer::kFinding) charges.push_back(ChargeOf(answer));
  });
  for (Charge& charge : charges) charge.secondary = true;
  if (!IsAbnormal(outcome.ending)) return outcome;
  const spec::Rule* rule = spec::Catalogue()[worker_.board().rule];
  charges.push_back(ChargeOf(outcome, {rule}, text));
  charges.back().secondary = true;
  CountAbnormal(rule);
  return {};
}

Outcome Suite::RunSequences(const PageChecks& checks) {
  for (const char* text : checks.sequences) {
    std::vector<Charge> charges;
    const Outcome outcome = RunProgram(std::get<Program>(Parse(text)), charges);
    if (outcome.ending != Ending::kDone) return outcome;
    for (Charge& charge : charges)
      if (results_.Resolve(charge.blame) != nullptr) Add(std::move(charge));
  }
  return {};
}

// A text that this suite no longer understands is no case any more.
Outcome Suite::RunPast(const std::vector<std::string>& cases) {
  for (const std::string& text : cases) {
    std::vector<Charge> charges;
    const Outcome outcome = RunCase(text, charges);
    if (outcome.ending != Ending::kDone) return outcome;
    for (Charge& charge : charges) Add(std::move(charge));
  }
  return {};
}

// One search per broken rule: once a rule has its smallest case, later cases that break it count as
// holding.
Outcome Suite::Search(std::uint64_t seed, const Engine& engine) {
  constexpr int kMostRestarts = 100;
  const int most_shrinking_cases = stack_.fake ? 5000 : 300;
  Outcome trouble;
  bool over = false;
  std::size_t left = amount_.programs;
  for (std::uint64_t round = 0; left > 0 && !over; ++round) {
    const spec::Rule* target = nullptr;
    std::vector<Charge> smallest;
    int shrinking = 0;
    const auto holds = [&](const RunOne& run) {
      // The engine ends at the first case that does not hold, and then tries smaller ones.
      if (over) return true;
      over = trouble.ending != Ending::kDone || worker_.restarts() > kMostRestarts;
      if (over) return false;
      if (target != nullptr && ++shrinking > most_shrinking_cases) return true;
      std::vector<Charge> charges;
      const Outcome outcome = run(charges);
      if (outcome.ending != Ending::kDone) trouble = outcome;
      if (charges.empty()) return true;
      const spec::Rule* rule = results_.Resolve(charges[0].blame);
      if (rule == nullptr || (target != nullptr && rule != target)) return true;
      target = rule;
      smallest = std::move(charges);
      return false;
    };
    const EngineResult result = engine(seed + round * 1000003, static_cast<int>(left), holds);
    for (Charge& charge : smallest) Add(std::move(charge));
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
  if (!library) return {Ending::kUnusable, problem, "", ""};
  RunnersWitness witness(worker_.board(), [this](Charge charge) { Add(std::move(charge)); });
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
  return Search(amount_.seed, [&](std::uint64_t seed, int cases, const auto& holds) {
    return CheckLives(seed, cases, [&](const Script& script) {
      return holds([&](std::vector<Charge>& charges) { return RunCase(Print(script), charges); });
    });
  });
}

Outcome Suite::RunScripts(const Part& part) {
  if (Missing(AllScriptChecks()[part.index]->page->function)) return {};
  const auto start = Clock::now();
  const Outcome outcome = RunList(*ListOf(part, amount_));
  result_.table_cases = worker_.board().calls;
  result_.table_seconds = SecondsSince(start);
  return outcome;
}

Outcome Suite::RunSweep(const Part& part) {
  return stack_.fake ? RunList(*ListOf(part, amount_)) : Outcome{};
}

std::vector<std::string> Suite::RequestOf(const CaseList& list, std::size_t first,
                                          std::size_t end) const {
  std::vector<std::string> request = list.request;
  request.push_back(std::to_string(first));
  request.push_back(std::to_string(end));
  AddLeftOut(request);
  return request;
}

// Taken up again behind the case that ended the worker.
Outcome Suite::RunList(const CaseList& list) {
  Write(worker_.board().text, "");
  for (std::size_t first = 0;; first = worker_.board().position + 1) {
    const Outcome outcome = worker_.Ask(
        RequestOf(list, first, kNoPosition), [&](const std::vector<std::string>& answer) {
          if (answer[0] == answer::kFinding) {
            Charge charge = ChargeOf(answer);
            charge.first = first;
            Add(std::move(charge));
          }
          if (answer[0] == answer::kSkipped) result_.skipped += std::stoull(answer[1]);
          if (answer[0] == answer::kFired)
            result_.fired[answer[1]][answer[2]] = std::stoi(answer[3]);
        });
    if (!IsAbnormal(outcome.ending)) return outcome;
    const std::size_t position = worker_.board().position;
    std::vector<const spec::Rule*> blame{spec::Catalogue()[worker_.board().rule]};
    if (list.blame) blame = list.blame(position);
    const spec::Rule* rule = blame.front();
    Charge charge = ChargeOf(outcome, std::move(blame), list.text(position));
    charge.position = position;
    charge.first = first;
    Add(std::move(charge));
    CountAbnormal(rule);
  }
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

}  // namespace conformance
