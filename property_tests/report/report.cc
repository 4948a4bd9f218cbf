#include "property_tests/report/report.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace conformance {

namespace {

constexpr char kIndent[] = "             ";

constexpr int kHolds = 0, kBroken = 1, kInconclusive = 2, kUnusable = 3;

bool IsBroken(Verdict verdict) {
  return verdict == Verdict::kFail || verdict == Verdict::kCrash || verdict == Verdict::kTimeout ||
         verdict == Verdict::kExit || verdict == Verdict::kMissing ||
         verdict == Verdict::kUnexpected;
}

std::string Ids(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "" : ", ") + id;
  return text;
}

std::string Rules(std::size_t count) {
  return count == 1 ? "1 rule is" : std::to_string(count) + " rules are";
}

}  // namespace

std::string ShellWord(const std::string& word) {
  if (word.find_first_of(" ;'\"$&|<>()*?") == std::string::npos) return word;
  return "'" + word + "'";
}

Verdict Report::Judge(const spec::Rule* rule, Suite& suite) const {
  const Verdict verdict = suite.VerdictOf(rule);
  if (expectations_.For(rule) == nullptr) return verdict;
  if (verdict == Verdict::kPass) return Verdict::kUnexpected;
  // What stands in the way of a rule may be what is known to be broken.
  return IsBroken(verdict) || verdict == Verdict::kInconclusive ? Verdict::kExpected : verdict;
}

void Report::Print(const spec::Rule* rule, Suite& suite) {
  const Verdict verdict = Judge(rule, suite);
  const auto [entry, fresh] = printed_.try_emplace(rule, verdict);
  if (!fresh && entry->second == verdict) return;
  entry->second = verdict;
  if (fresh) order_.push_back(rule);
  const std::uint64_t tested = suite.worker().board().tested[spec::NumberOf(rule)];
  out_ << std::left << std::setw(13) << NameOf(verdict) << std::setw(60) << rule->id;
  if (verdict != Verdict::kSeen)
    out_ << std::right << std::setw(9) << tested << (tested == 1 ? " case" : " cases");
  out_ << '\n';
  if (verdict == Verdict::kSeen) PrintSeen(rule, suite);
  if (verdict == Verdict::kMissing)
    out_ << kIndent << "the library does not export " << spec::FunctionOf(rule) << '\n';
  if (verdict == Verdict::kUnsupported)
    out_ << kIndent
         << (stack_.fake
                 ? "the library makes no call whose failure this rule is about\n"
                 : "needs failures on demand and counts of objects, which only the fake has\n");
  if (verdict == Verdict::kInconclusive) out_ << kIndent << "no case put this rule to the test\n";
  if (verdict == Verdict::kExpected) {
    out_ << kIndent << "expected " << expectations_.For(rule)->reason << '\n';
    if (suite.VerdictOf(rule) == Verdict::kInconclusive)
      out_ << kIndent << "no case put this rule to the test\n";
  }
  if (verdict == Verdict::kUnexpected)
    out_ << kIndent << "holds; the expectations say: " << expectations_.For(rule)->reason << '\n';
  if (IsBroken(verdict))
    if (const Charge* charge = suite.results().Against(rule)) PrintCharge(rule, *charge);
  out_ << std::flush;
}

void Report::PrintSeen(const spec::Rule* rule, Suite& suite) {
  bool any = false;
  for (std::size_t i = 0; i < spec::model::kSightCount; ++i) {
    const std::uint64_t count = suite.worker().board().seen[spec::NumberOf(rule)][i];
    if (count == 0) continue;
    any = true;
    out_ << kIndent << std::right << std::setw(8) << count << "  "
         << NameOf(static_cast<spec::model::Sight>(i)) << '\n';
  }
  if (!any) out_ << kIndent << "       0  never seen\n";
}

void Report::PrintCharge(const spec::Rule* rule, const Charge& charge) {
  out_ << kIndent << "rule     " << rule->page << ", " << rule->section << ": " << rule->sentence
       << '\n';
  if (!charge.text.empty()) out_ << kIndent << "case     " << charge.text << '\n';
  out_ << kIndent << "allowed  " << charge.allowed << '\n'
       << kIndent << "seen     " << charge.seen << '\n';
  if (charge.text.empty()) return;  // of the library as a file
  out_ << kIndent << "replay   rpma-conformance replay --sut " << ShellWord(stack_.sut) << " --nic "
       << (stack_.fake ? "fake" : "system --addr " + stack_.address) << ' '
       << ShellWord(charge.text) << '\n';
}

int Report::Summarise(Suite& suite, const Outcome& ended, double seconds) {
  std::map<Verdict, int> counts;
  for (const auto& [rule, verdict] : printed_) ++counts[verdict];
  const double rate = suite.table_seconds() > 0 ? suite.table_cases() / suite.table_seconds() : 0;
  out_ << '\n'
       << "library      " << stack_.sut << '\n'
       << "nic          " << (stack_.fake ? "fake" : "system") << ", "
       << (suite.worker().ready().size() > 1 ? suite.worker().ready()[1] : "not loaded")
       << ", address " << stack_.address << '\n'
       << "seed         " << amount_.seed << '\n'
       << "cases        " << suite.worker().board().calls << " in all; " << suite.table_cases()
       << " argument cases, " << amount_.programs << " random programs a page\n";
  if (suite.skipped() > 0)
    out_ << "left out     " << suite.skipped()
         << " cases, after repeated crashes, hangs or vain waits\n";
  out_ << "time         " << std::fixed << std::setprecision(1) << seconds
       << " s; argument cases a second: " << std::setprecision(0) << rate << '\n'
       << "verdicts     ";
  const char* comma = "";
  for (const auto& [verdict, count] : counts) {
    out_ << comma << count << ' ' << NameOf(verdict);
    comma = ", ";
  }
  out_ << '\n';
  return Conclude(ended, suite);
}

int Report::Conclude(const Outcome& ended, Suite&) {
  std::vector<std::string> broken;
  std::vector<std::string> open;
  for (const spec::Rule* rule : order_) {
    if (IsBroken(printed_[rule])) broken.emplace_back(rule->id);
    if (printed_[rule] == Verdict::kInconclusive) open.emplace_back(rule->id);
  }
  if (ended.ending == Ending::kUnusable) {
    out_ << "the environment is not usable: " << ended.sentence << std::endl;
    return kUnusable;
  }
  if (!broken.empty()) {
    out_ << Rules(broken.size()) << " broken: " << Ids(broken) << std::endl;
    return kBroken;
  }
  if (ended.ending == Ending::kInterrupted) {
    out_ << "interrupted; nothing is known to be broken" << std::endl;
    return kInconclusive;
  }
  if (!open.empty()) {
    out_ << Rules(open.size()) << " inconclusive: " << Ids(open) << std::endl;
    return kInconclusive;
  }
  const auto expected = std::count_if(printed_.begin(), printed_.end(), [](const auto& entry) {
    return entry.second == Verdict::kExpected;
  });
  out_ << "every rule that must hold holds";
  if (expected > 0) out_ << ", but for " << expected << " that the expectations name";
  out_ << std::endl;
  return kHolds;
}

}  // namespace conformance
