#include "property_tests/commands/report_input.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "property_tests/commands/selection.h"
#include "property_tests/report/writers.h"
#include "property_tests/runner/run_folder.h"

namespace conformance {

namespace {

void MergeStack(StackResult& into, const StackResult& from) {
  for (const RuleResult& rule : from.rules) {
    const auto same = std::find_if(into.rules.begin(), into.rules.end(),
                                   [&](const RuleResult& old) { return old.rule == rule.rule; });
    if (same == into.rules.end())
      into.rules.push_back(rule);
    else
      *same = rule;
  }
  if (into.ending == "complete") {
    into.ending = from.ending;
    into.sentence = from.sentence;
  }
  into.unfinished.insert(into.unfinished.end(), from.unfinished.begin(), from.unfinished.end());
  into.cases += from.cases;
  into.argument_cases += from.argument_cases;
  into.left_out += from.left_out;
}

}  // namespace

RunResult ReadReport(const std::string& path) {
  const bool folder = std::filesystem::is_directory(path);
  const std::string file = folder ? ReportOf(path) : path;
  std::ifstream in(file);
  if (!in) throw UsageError(file + ": cannot be read");
  try {
    RunResult run = RunResultOf(
        std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()));
    if (folder && !run.stacks.empty())
      for (const std::string& line : WhatWasRunning(path))
        run.stacks.back().unfinished.push_back(line);
    return run;
  } catch (const std::runtime_error& error) {
    throw UsageError(file + ": " + error.what());
  }
}

RunResult Merge(RunResult first, const RunResult& second) {
  first.selection += "; " + second.selection;
  for (const StackResult& stack : second.stacks) {
    const auto same = std::find_if(first.stacks.begin(), first.stacks.end(),
                                   [&](const auto& old) { return old.name() == stack.name(); });
    if (same == first.stacks.end())
      first.stacks.push_back(stack);
    else
      MergeStack(*same, stack);
  }
  first.seconds += second.seconds;
  return first;
}

}  // namespace conformance
