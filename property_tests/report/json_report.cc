// The schema of what is written here is report/report.schema.json.
#include <stdexcept>

#include "property_tests/report/json_fields.h"
#include "property_tests/report/trace_json.h"
#include "property_tests/report/writers.h"

namespace conformance {

namespace {

constexpr char kFormat[] = "rpma-conformance report";
constexpr int kVersion = 1;

}  // namespace

static void to_json(Json& json, Verdict verdict) { json = NameOf(verdict); }

static void from_json(const Json& json, Verdict& verdict) {
  const std::string name = json;
  const std::optional<Verdict> found = FindVerdict(name);
  if (!found) throw std::runtime_error("'" + name + "' is no verdict");
  verdict = *found;
}

template <class F>
void Describe(F& fields, typename F::template Of<Sighting>& sighting) {
  fields.Required("count", sighting.count);
  fields.Required("what", sighting.what);
}

template <class F>
void Describe(F& fields, typename F::template Of<Counterexample>& shown) {
  fields.Optional("case", shown.text);
  fields.Optional("allowed", shown.allowed);
  fields.Optional("seen", shown.seen);
  fields.Optional("stack", shown.stack);
  fields.Optional("output", shown.output);
  fields.Optional("replay", shown.replay);
  bool replayed = shown.replays > 0;
  fields.GroupIf("replays", replayed, [&](F& inner) {
    inner.Required("run", shown.replays);
    inner.Required("same", shown.reproduced);
  });
  fields.Optional("trace", shown.trace);
}

template <class F>
void Describe(F& fields, typename F::template Of<RuleResult>& rule) {
  fields.Required("rule", rule.rule);
  fields.Required("page", rule.page);
  fields.Required("section", rule.section);
  fields.Required("force", rule.force);
  fields.Required("sentence", rule.sentence);
  fields.Required("verdict", rule.verdict);
  fields.Required("cases", rule.cases);
  fields.Optional("reason", rule.reason);
  fields.Optional("link", rule.link);
  fields.Optional("seen", rule.sightings);
  fields.GroupIf("counterexample", rule.was_broken,
                 [&](F& inner) { Describe(inner, rule.counterexample); });
}

template <class F>
void Describe(F& fields, typename F::template Of<StackResult>& stack) {
  fields.Required("library", stack.library);
  fields.Required("nic", stack.nic);
  fields.Required("verbs", stack.verbs);
  fields.Required("address", stack.address);
  fields.Required("ending", stack.ending);
  fields.Derived("verdicts", [&] {
    Json counts = Json::object();
    for (const auto& [verdict, count] : stack.Counts())
      counts[std::string(NameOf(verdict))] = count;
    return counts;
  });
  fields.Required("cases", stack.cases);
  fields.Required("argument_cases", stack.argument_cases);
  fields.Required("left_out", stack.left_out);
  fields.Newer("ends", stack.ends);
  fields.Newer("in_one_process", stack.in_one_process);
  fields.Optional("sentence", stack.sentence);
  fields.Optional("unfinished", stack.unfinished);
  fields.Required("rules", stack.rules);
}

template <class F>
void Describe(F& fields, typename F::template Of<RunResult>& run) {
  fields.Required("suite", run.suite);
  fields.Required("mode", run.mode);
  fields.Required("seed", run.seed);
  fields.Required("programs", run.programs);
  fields.Required("selection", run.selection);
  fields.Newer("strict", run.strict);
  fields.Newer("should_rules_left_out", run.should_rules_left_out);
  fields.Required("environment", run.environment);
  fields.Required("stacks", run.stacks);
  fields.Group("times", [&](F& inner) {
    inner.Required("seconds", run.seconds);
    inner.Required("argument_cases_a_second", run.argument_cases_a_second);
    inner.Required("workers", run.workers);
  });
}

std::string ToJson(const RunResult& run) {
  Json json{{"format", kFormat}, {"version", kVersion}};
  FieldWriter fields(json);
  Describe(fields, run);
  return json.dump(1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
}

RunResult RunResultOf(const std::string& text) try {
  const Json json = Json::parse(text);
  if (json.at("format") != kFormat || json.at("version") != kVersion)
    throw std::runtime_error("expected the format '" + std::string(kFormat) + "', version " +
                             std::to_string(kVersion));
  RunResult run;
  FieldReader fields(json);
  Describe(fields, run);
  return run;
} catch (const nlohmann::json::exception& error) {
  throw std::runtime_error(std::string("no report of rpma-conformance: ") + error.what());
}

}  // namespace conformance
