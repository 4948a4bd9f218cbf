#include "property_tests/runner/part_json.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "property_tests/report/trace_json.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

using Json = nlohmann::json;

std::string IdOf(const spec::Rule* rule) { return std::string(rule->id); }

const spec::Rule* RuleOf(const std::string& id) {
  const spec::Rule* rule = spec::FindRule(id);
  if (rule == nullptr) throw std::runtime_error("rule '" + id + "' is unknown to this version");
  return rule;
}

template <class Rules>
Json IdsOf(const Rules& rules) {
  Json ids = Json::array();
  for (const spec::Rule* rule : rules) ids.push_back(IdOf(rule));
  return ids;
}

Json JsonOf(const Outcome& outcome) {
  return {static_cast<int>(outcome.ending), outcome.sentence, outcome.stack, outcome.output};
}

Outcome OutcomeOf(const Json& json) {
  return {static_cast<Ending>(json.at(0).get<int>()), json.at(1), json.at(2), json.at(3)};
}

Json JsonOf(const Charge& charge) {
  return {{"how", static_cast<int>(charge.how)},
          {"blame", IdsOf(charge.blame)},
          {"text", charge.text},
          {"allowed", charge.allowed},
          {"seen", charge.seen},
          {"stack", charge.stack},
          {"output", charge.output},
          {"part", charge.part},
          {"position", charge.position},
          {"first", charge.first},
          {"secondary", charge.secondary}};
}

Charge ChargeOf(const Json& json) {
  Charge charge;
  charge.how = static_cast<Ending>(json.at("how").get<int>());
  for (const Json& id : json.at("blame")) charge.blame.push_back(RuleOf(id));
  if (charge.blame.empty()) throw std::runtime_error("a finding that blames no rule");
  charge.text = json.at("text");
  charge.allowed = json.at("allowed");
  charge.seen = json.at("seen");
  charge.stack = json.at("stack");
  charge.output = json.at("output");
  charge.part = json.at("part");
  charge.position = json.at("position");
  charge.first = json.at("first");
  charge.secondary = json.at("secondary");
  return charge;
}

Json CountsOf(const PartResult& result) {
  Json json = Json::object();
  for (const auto& [rule, count] : result.tested) json["tested"][IdOf(rule)] = count;
  for (const auto& [rule, counts] : result.seen) json["seen"][IdOf(rule)] = counts;
  return json;
}

void ReadCounts(const Json& json, PartResult& result) {
  if (json.contains("tested"))
    for (const auto& [id, count] : json["tested"].items()) result.tested[RuleOf(id)] = count;
  if (json.contains("seen"))
    for (const auto& [id, counts] : json["seen"].items()) result.seen[RuleOf(id)] = counts;
}

}  // namespace

std::string ToLine(const PartResult& result) {
  Json charges = Json::array();
  for (const Charge& charge : result.charges) charges.push_back(JsonOf(charge));
  const Json json{{"part", result.part},
                  {"outcome", JsonOf(result.outcome)},
                  {"charges", charges},
                  {"counts", CountsOf(result)},
                  {"left_out", IdsOf(result.left_out)},
                  {"fired", result.fired},
                  {"ready", result.ready},
                  {"cases", result.cases},
                  {"table_cases", result.table_cases},
                  {"skipped", result.skipped},
                  {"in_one_process", result.in_one_process},
                  {"table_seconds", result.table_seconds},
                  {"trace", result.trace},
                  {"replays", result.replays},
                  {"reproduced", result.reproduced},
                  {"again", result.again}};
  // What a library prints need not be text.
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

PartResult PartResultOf(const std::string& line) {
  const Json json = Json::parse(line);
  PartResult result;
  result.part = json.at("part");
  result.outcome = OutcomeOf(json.at("outcome"));
  for (const Json& charge : json.at("charges")) result.charges.push_back(ChargeOf(charge));
  ReadCounts(json.at("counts"), result);
  for (const Json& id : json.at("left_out")) result.left_out.insert(RuleOf(id));
  result.fired = json.at("fired").get<Fired>();
  result.ready = json.at("ready").get<std::vector<std::string>>();
  result.cases = json.at("cases");
  result.table_cases = json.at("table_cases");
  result.skipped = json.at("skipped");
  result.in_one_process = json.at("in_one_process");
  result.table_seconds = json.at("table_seconds");
  result.trace = json.at("trace").get<std::vector<TraceEvent>>();
  result.replays = json.at("replays");
  result.reproduced = json.at("reproduced");
  result.again = json.at("again").get<std::vector<std::string>>();
  return result;
}

}  // namespace conformance
