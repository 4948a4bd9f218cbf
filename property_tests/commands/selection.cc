#include "property_tests/commands/selection.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "property_tests/glob.h"
#include "property_tests/report/writers.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

bool MatchesOne(const std::vector<std::string>& globs, std::string_view text) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(),
                                      [&](const std::string& glob) { return Matches(glob, text); });
}

// "rpma_write" and "rpma_write(3)" both name the page.
bool IsOfPage(const std::vector<std::string>& pages, const spec::Rule* rule) {
  return MatchesOne(pages, rule->page) || MatchesOne(pages, spec::FunctionOf(rule));
}

std::string Listed(const char* label, const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += std::string(label) + word + "'";
  return text;
}

std::string WordsOf(const Request& request) {
  std::string words = Listed(" '", request.globs) + Listed(" page '", request.pages) +
                      Listed(" section '", request.sections);
  words = words.empty() ? "all rules" : "rules" + words;
  return words + Listed(" without '", request.excluded);
}

// The rules that an earlier run found broken, or could not say anything of.
std::set<std::string> OpenIn(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw UsageError(file + ": cannot be read");
  std::set<std::string> open;
  try {
    const RunResult run = RunResultOf(
        std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()));
    for (const StackResult& stack : run.stacks)
      for (const RuleResult& rule : stack.rules)
        if (IsBroken(rule.verdict) || rule.verdict == Verdict::kInconclusive ||
            rule.verdict == Verdict::kEnvironment || rule.verdict == Verdict::kInternal)
          open.insert(rule.rule);
  } catch (const std::runtime_error& error) {
    throw UsageError(file + ": " + error.what());
  }
  if (open.empty())
    throw UsageError(file + ": no rule failed there, there is nothing to run again");
  return open;
}

std::size_t NumberIn(const char* variable, std::size_t otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  char* end = nullptr;
  const unsigned long number = std::strtoul(text, &end, 10);
  if (*end != '\0' || text[0] < '0' || text[0] > '9')
    throw UsageError(std::string(variable) + ": '" + text + "', expected a number");
  return number;
}

// A shard takes every so manieth page.
void TakeShard(Selection& selection) {
  const std::size_t total = NumberIn("GTEST_TOTAL_SHARDS", 1);
  const std::size_t index = NumberIn("GTEST_SHARD_INDEX", 0);
  if (index >= total)
    throw UsageError("GTEST_SHARD_INDEX: " + std::to_string(index) + ", expected less than " +
                     std::to_string(total) + ", which GTEST_TOTAL_SHARDS says");
  if (const char* file = std::getenv("GTEST_SHARD_STATUS_FILE")) std::ofstream touch(file);
  if (total == 1) return;
  std::vector<std::string_view> pages;
  for (const spec::Rule* rule : selection.rules)
    if (pages.empty() || pages.back() != spec::FunctionOf(rule))
      pages.push_back(spec::FunctionOf(rule));
  const auto elsewhere = [&](const spec::Rule* rule) {
    const auto page = std::find(pages.begin(), pages.end(), spec::FunctionOf(rule));
    return static_cast<std::size_t>(page - pages.begin()) % total != index;
  };
  std::copy_if(selection.rules.begin(), selection.rules.end(),
               std::inserter(selection.told_if_broken, selection.told_if_broken.end()), elsewhere);
  std::erase_if(selection.rules, elsewhere);
  selection.whole_uses = index == total - 1;
  selection.words += ", shard " + std::to_string(index) + " of " + std::to_string(total);
}

}  // namespace

Selection Select(const Request& request) {
  Selection selection;
  selection.words = WordsOf(request);
  std::set<std::string> again;
  if (!request.rerun.empty()) {
    again = OpenIn(request.rerun);
    selection.words +=
        ", only the " + std::to_string(again.size()) + " that failed in " + request.rerun;
  }
  for (const spec::Rule* rule : spec::Catalogue())
    if (MatchesOne(request.globs, rule->id) && IsOfPage(request.pages, rule) &&
        MatchesOne(request.sections, rule->section) &&
        (request.rerun.empty() || again.count(std::string(rule->id)) > 0)) {
      if (rule->force != spec::Force::kShould || request.amount.strict)
        selection.rules.push_back(rule);
      else
        selection.told_if_broken.insert(rule);
    }
  for (const std::string& glob : request.excluded) {
    bool any = std::erase_if(selection.told_if_broken,
                             [&](auto* rule) { return Matches(glob, rule->id); }) > 0;
    for (const spec::Rule* rule : selection.rules)
      if (Matches(glob, rule->id)) {
        any = true;
        selection.disabled[rule] = "left out by --exclude '" + glob + "'";
      }
    if (!any) throw UsageError("--exclude '" + glob + "': names none of the selected rules");
  }
  selection.should_rules_left_out = selection.told_if_broken.size();
  if (selection.rules.empty() && selection.should_rules_left_out > 0)
    throw UsageError("none but should-rules match: " + selection.words + "; --strict judges them");
  TakeShard(selection);
  if (selection.rules.size() == selection.disabled.size())
    throw UsageError("none matches: " + selection.words +
                     "; `rpma-conformance list` names them all");
  return selection;
}

}  // namespace conformance
