// The schema of what is written here is report/report.schema.json.
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "property_tests/report/trace_json.h"
#include "property_tests/report/writers.h"

namespace conformance {

namespace {

using Json = nlohmann::ordered_json;

constexpr char kFormat[] = "rpma-conformance report";
constexpr int kVersion = 1;

// What is empty is left out.
void Put(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

std::string Text(const Json& json, const char* key) { return json.value(key, std::string()); }

Json JsonOf(const Counterexample& shown) {
  Json json = Json::object();
  Put(json, "case", shown.text);
  Put(json, "allowed", shown.allowed);
  Put(json, "seen", shown.seen);
  Put(json, "stack", shown.stack);
  Put(json, "output", shown.output);
  Put(json, "replay", shown.replay);
  if (shown.replays > 0) json["replays"] = {{"run", shown.replays}, {"same", shown.reproduced}};
  if (!shown.trace.empty()) json["trace"] = JsonOf(shown.trace);
  return json;
}

Counterexample CounterexampleOf(const Json& json) {
  Counterexample shown;
  shown.text = Text(json, "case");
  shown.allowed = Text(json, "allowed");
  shown.seen = Text(json, "seen");
  shown.stack = Text(json, "stack");
  shown.output = Text(json, "output");
  shown.replay = Text(json, "replay");
  if (json.contains("replays")) {
    shown.replays = json["replays"].at("run");
    shown.reproduced = json["replays"].at("same");
  }
  if (json.contains("trace")) shown.trace = TraceOf(json["trace"]);
  return shown;
}

Json JsonOf(const RuleResult& rule) {
  Json json{{"rule", rule.rule},   {"page", rule.page},         {"section", rule.section},
            {"force", rule.force}, {"sentence", rule.sentence}, {"verdict", NameOf(rule.verdict)},
            {"cases", rule.cases}};
  Put(json, "reason", rule.reason);
  Put(json, "link", rule.link);
  for (const Sighting& sighting : rule.sightings)
    json["seen"].push_back({{"count", sighting.count}, {"what", sighting.what}});
  if (rule.was_broken) json["counterexample"] = JsonOf(rule.counterexample);
  return json;
}

RuleResult RuleOf(const Json& json) {
  RuleResult rule;
  rule.rule = json.at("rule");
  rule.page = json.at("page");
  rule.section = json.at("section");
  rule.force = json.at("force");
  rule.sentence = json.at("sentence");
  const std::string name = json.at("verdict");
  const std::optional<Verdict> verdict = FindVerdict(name);
  if (!verdict) throw std::runtime_error("'" + name + "' is no verdict");
  rule.verdict = *verdict;
  rule.cases = json.at("cases");
  rule.reason = Text(json, "reason");
  rule.link = Text(json, "link");
  if (json.contains("seen"))
    for (const Json& sighting : json["seen"])
      rule.sightings.push_back({sighting.at("count"), sighting.at("what")});
  rule.was_broken = json.contains("counterexample");
  if (rule.was_broken) rule.counterexample = CounterexampleOf(json["counterexample"]);
  return rule;
}

Json JsonOf(const StackResult& stack) {
  Json verdicts = Json::object();
  for (const auto& [verdict, count] : stack.Counts())
    verdicts[std::string(NameOf(verdict))] = count;
  Json json{{"library", stack.library},
            {"nic", stack.nic},
            {"verbs", stack.verbs},
            {"address", stack.address},
            {"ending", stack.ending},
            {"verdicts", verdicts},
            {"cases", stack.cases},
            {"argument_cases", stack.argument_cases},
            {"left_out", stack.left_out},
            {"ends", stack.ends},
            {"in_one_process", stack.in_one_process}};
  Put(json, "sentence", stack.sentence);
  if (!stack.unfinished.empty()) json["unfinished"] = stack.unfinished;
  json["rules"] = Json::array();
  for (const RuleResult& rule : stack.rules) json["rules"].push_back(JsonOf(rule));
  return json;
}

StackResult StackOf(const Json& json) {
  StackResult stack;
  stack.library = json.at("library");
  stack.nic = json.at("nic");
  stack.verbs = json.at("verbs");
  stack.address = json.at("address");
  stack.ends = json.value("ends", "one process");
  stack.in_one_process = json.value("in_one_process", std::uint64_t{0});
  stack.ending = json.at("ending");
  stack.sentence = Text(json, "sentence");
  if (json.contains("unfinished"))
    stack.unfinished = json["unfinished"].get<std::vector<std::string>>();
  stack.cases = json.at("cases");
  stack.argument_cases = json.at("argument_cases");
  stack.left_out = json.at("left_out");
  for (const Json& rule : json.at("rules")) stack.rules.push_back(RuleOf(rule));
  return stack;
}

}  // namespace

std::string ToJson(const RunResult& run) {
  Json json{{"format", kFormat},
            {"version", kVersion},
            {"suite", run.suite},
            {"mode", run.mode},
            {"seed", run.seed},
            {"programs", run.programs},
            {"selection", run.selection},
            {"environment", run.environment},
            {"stacks", Json::array()},
            {"times",
             {{"seconds", run.seconds},
              {"argument_cases_a_second", run.argument_cases_a_second},
              {"workers", run.workers}}}};
  for (const StackResult& stack : run.stacks) json["stacks"].push_back(JsonOf(stack));
  return json.dump(1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
}

RunResult RunResultOf(const std::string& text) try {
  const Json json = Json::parse(text);
  if (json.at("format") != kFormat || json.at("version") != kVersion)
    throw std::runtime_error("expected the format '" + std::string(kFormat) + "', version " +
                             std::to_string(kVersion));
  RunResult run;
  run.suite = json.at("suite");
  run.mode = json.at("mode");
  run.seed = json.at("seed");
  run.programs = json.at("programs");
  run.selection = json.at("selection");
  run.environment = json.at("environment").get<std::map<std::string, std::string>>();
  for (const Json& stack : json.at("stacks")) run.stacks.push_back(StackOf(stack));
  const Json& times = json.at("times");
  run.seconds = times.at("seconds");
  run.argument_cases_a_second = times.at("argument_cases_a_second");
  run.workers = times.at("workers");
  return run;
} catch (const nlohmann::json::exception& error) {
  throw std::runtime_error(std::string("no report of rpma-conformance: ") + error.what());
}

}  // namespace conformance
