#include "property_tests/runner/part_json.h"

#include <stdexcept>

#include "property_tests/report/json_fields.h"
#include "property_tests/report/trace_json.h"
#include "spec/catalogue.h"

// A rule is written as its id.
template <>
struct nlohmann::adl_serializer<const spec::Rule*> {
  template <class Json>
  static void to_json(Json& json, const spec::Rule* rule) {
    json = std::string(rule->id);
  }
  template <class Json>
  static void from_json(const Json& json, const spec::Rule*& rule) {
    const std::string id = json;
    rule = spec::FindRule(id);
    if (rule == nullptr) throw std::runtime_error("rule '" + id + "' is unknown to this version");
  }
};

namespace conformance {

template <class F>
void Describe(F& fields, typename F::template Of<Outcome>& outcome) {
  fields.Required("ending", outcome.ending);
  fields.Required("sentence", outcome.sentence);
  fields.Required("stack", outcome.stack);
  fields.Required("output", outcome.output);
}

template <class F>
void Describe(F& fields, typename F::template Of<Charge>& charge) {
  fields.Required("how", charge.how);
  fields.Required("blame", charge.blame);
  fields.Required("text", charge.text);
  fields.Required("allowed", charge.allowed);
  fields.Required("seen", charge.seen);
  fields.Required("stack", charge.stack);
  fields.Required("output", charge.output);
  fields.Required("part", charge.part);
  fields.Required("position", charge.position);
  fields.Required("first", charge.first);
  fields.Required("secondary", charge.secondary);
}

template <class F>
void Describe(F& fields, typename F::template Of<PartResult>& result) {
  fields.Required("part", result.part);
  fields.Required("outcome", result.outcome);
  fields.Required("charges", result.charges);
  fields.Required("tested", result.tested);
  fields.Required("seen", result.seen);
  fields.Required("left_out", result.left_out);
  fields.Required("fired", result.fired);
  fields.Required("ready", result.ready);
  fields.Required("cases", result.cases);
  fields.Required("table_cases", result.table_cases);
  fields.Required("skipped", result.skipped);
  fields.Required("in_one_process", result.in_one_process);
  fields.Required("table_seconds", result.table_seconds);
  fields.Required("trace", result.trace);
  fields.Required("replays", result.replays);
  fields.Required("reproduced", result.reproduced);
  fields.Required("again", result.again);
}

std::string ToLine(const PartResult& result) {
  Json json;
  FieldWriter fields(json);
  Describe(fields, result);
  // What a library prints need not be text.
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

PartResult PartResultOf(const std::string& line) {
  const Json json = Json::parse(line);
  PartResult result;
  FieldReader fields(json);
  Describe(fields, result);
  for (const Charge& charge : result.charges)
    if (charge.blame.empty()) throw std::runtime_error("a finding that blames no rule");
  return result;
}

}  // namespace conformance
