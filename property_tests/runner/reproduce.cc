// Suite, the part that runs a case again, to see whether it shows the same, and what it takes to.
#include <algorithm>

#include "property_tests/runner/suite.h"

namespace conformance {

namespace {

bool Blames(const std::vector<std::string>& finding, const spec::Rule* rule) {
  return (" " + finding[1]).find(" " + std::to_string(spec::NumberOf(rule)) + " ") !=
         std::string::npos;
}

}  // namespace

Outcome Suite::Reproduce(const spec::Rule* rule) {
  constexpr int kMost = 3;
  const Charge* known = results_.Against(rule);
  if (known == nullptr || known->text.empty()) return {};  // of the library as a file
  const Charge charge = *known;
  left_out_.clear();
  result_.again = {charge.text};
  const int most = stack_.fake && charge.how != Ending::kTimedOut ? 1 : kMost;
  while (result_.replays < most && result_.reproduced == 0) {
    ++result_.replays;
    if (ReplayShows(charge, result_.again)) ++result_.reproduced;
    if (g_interrupted) return {Ending::kInterrupted, "interrupted", "", ""};
  }
  if (result_.reproduced == 0 && charge.position != kNoPosition) FindContext(charge);
  return {};
}

// One after another, in a fresh worker: the last one has to show it.
bool Suite::ReplayShows(const Charge& charge, const std::vector<std::string>& cases) {
  worker_.Retire();
  bool shown = false;
  for (const std::string& text : cases) {
    std::vector<TraceEvent> trace;
    shown = false;
    Write(worker_.board().text, text);
    const Outcome outcome =
        worker_.Ask({std::string(ask::kReplay), text}, [&](const std::vector<std::string>& answer) {
          if (answer[0] == answer::kTrace) trace.push_back({answer[1], answer[2], answer[3]});
          if (answer[0] == answer::kFinding) shown = shown || Blames(answer, charge.blame[0]);
        });
    if (IsAbnormal(charge.how)) shown = outcome.ending == charge.how;
    result_.trace = std::move(trace);
  }
  return shown;
}

bool Suite::RangeShows(const Charge& charge, const CaseList& list, std::size_t first) {
  worker_.Retire();
  Write(worker_.board().text, "");
  bool shown = false;
  const Outcome outcome = worker_.Ask(
      RequestOf(list, first, charge.position + 1), [&](const std::vector<std::string>& answer) {
        if (answer[0] == answer::kFinding && answer[2] == charge.text)
          shown = shown || Blames(answer, charge.blame[0]);
      });
  return IsAbnormal(charge.how) ? IsAbnormal(outcome.ending) : shown;
}

// The case shows nothing on its own: what came before it in its worker has a part in it.
void Suite::FindContext(const Charge& charge) {
  const Part* part = nullptr;
  for (const Part& candidate : PlanOfEverything()) {
    const std::optional<CaseList> list = ListOf(candidate, amount_);
    if (list && candidate.name() == charge.part) part = &candidate;
  }
  if (part == nullptr) return;
  const CaseList list = *ListOf(*part, amount_);
  ++result_.replays;
  if (!RangeShows(charge, list, charge.first)) return;
  ++result_.reproduced;
  if (IsAbnormal(charge.how)) return BlameTheFirst(charge, list);
  result_.again = {
      Print(CaseRange{charge.part, charge.first, charge.position, amount_.seed, amount_.sample})};
}

// A library that spoils the worker's memory may crash it much later. The last case from which on it
// still does is the one that spoils it.
void Suite::BlameTheFirst(const Charge& charge, const CaseList& list) {
  std::size_t spoils = charge.first;
  std::size_t harmless = charge.position;
  while (harmless - spoils > 1) {
    const std::size_t middle = spoils + (harmless - spoils) / 2;
    (RangeShows(charge, list, middle) ? spoils : harmless) = middle;
    if (g_interrupted) return;
  }
  Charge first = charge;
  first.text = list.text(spoils);
  first.position = spoils;
  first.seen = charge.seen + ", in a later case: " + charge.text;
  result_.again = {first.text, charge.text};
  const bool two_are_enough = ReplayShows(charge, result_.again);
  ReplayShows(charge, {first.text});  // says on the board which rule it is about; and its trace
  first.blame = {spec::Catalogue()[worker_.board().rule]};
  if (list.blame) first.blame = list.blame(spoils);
  if (!two_are_enough)
    result_.again = {
        Print(CaseRange{charge.part, spoils, charge.position, amount_.seed, amount_.sample})};
  result_.charges.push_back(std::move(first));
}

}  // namespace conformance
