#include "property_tests/runner/case_list.h"

#include <memory>
#include <regex>

#include "property_tests/page_checks.h"
#include "property_tests/program/meaning.h"
#include "property_tests/program/text.h"
#include "property_tests/script/script_checks.h"
#include "property_tests/script/sweep.h"
#include "property_tests/worker/channel.h"
#include "property_tests/worker/table_run.h"

namespace conformance {

namespace {

CaseList TableOf(std::size_t page, const Amount& amount) {
  const PageChecks& checks = *kAllChecks[page];
  const auto step = [&checks, amount](std::size_t at) {
    return TableRun(checks, amount, nullptr).At(at);
  };
  return {{std::string(ask::kTable), std::to_string(page)},
          [&checks, step](std::size_t at) {
            return Print(Program{checks.config, {step(at)}});
          },
          [&checks, step](std::size_t at) {
            const Meaning meaning = MeaningOf(step(at), checks.config);
            std::vector<const spec::Rule*> blame;
            for (std::size_t i = 0; i < meaning.refusals.size(); ++i)
              blame.push_back(meaning.refusals.rule(i));
            if (blame.empty()) blame.push_back(RuleOnTrial(meaning));
            return blame;
          }};
}

}  // namespace

std::optional<CaseList> ListOf(const Part& part, const Amount& amount) {
  switch (part.kind) {
    case PartKind::kTable:
      return TableOf(part.index, amount);
    case PartKind::kScripts: {
      const ScriptChecks* checks = AllScriptChecks()[part.index];
      return CaseList{
          {std::string(ask::kScripts), std::to_string(part.index)},
          [checks, amount](std::size_t at) { return Print(checks->scripts(amount.seed)[at]); },
          nullptr};
    }
    case PartKind::kSweep:
      return CaseList{{std::string(ask::kSweep), "all"},
                      [](std::size_t at) { return Print(SweepCase(at).script()); },
                      nullptr};
    default:
      return std::nullopt;
  }
}

std::string Print(const CaseRange& range) {
  return "cases " + std::to_string(range.first) + ".." + std::to_string(range.last) + " of " +
         range.part + ", seed " + std::to_string(range.seed) + ", sample " +
         std::to_string(range.sample);
}

std::optional<CaseRange> ParseCaseRange(const std::string& text) {
  static const std::regex form(
      R"(cases (\d{1,9})\.\.(\d{1,9}) of (.+), seed (\d{1,19}), sample (\d{1,9}))");
  std::smatch found;
  if (!std::regex_match(text, found, form)) return std::nullopt;
  return CaseRange{found[3], std::stoul(found[1]), std::stoul(found[2]), std::stoull(found[4]),
                   std::stoull(found[5])};
}

}  // namespace conformance
