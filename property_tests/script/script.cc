#include "property_tests/script/script.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "property_tests/script/functions.h"
#include "property_tests/script/givens.h"

namespace conformance {

namespace {

constexpr std::string_view kGiven = "given ";

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(Trim(text.substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

ParseError Wrong(std::string_view what, std::string_view value, std::string_view wanted) {
  return {std::string(what) + " '" + std::string(value) + "': expected " + std::string(wanted)};
}

// The number of arguments that this step takes; 0 if there is no such step.
std::size_t Arity(std::string_view function) {
  if (function == kFault) return 3;
  if (std::find(std::begin(kOwnSteps), std::end(kOwnSteps), function) != std::end(kOwnSteps))
    return 1;
  const Function* known = FindFunction(function);
  return known == nullptr ? 0 : known->params.size();
}

std::variant<ScriptCall, ParseError> ParseCall(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || text.back() != ')')
    return Wrong("step", text, "a call, as in rpma_conn_cfg_new(&cfg)");
  ScriptCall call{std::string(Trim(text.substr(0, open))), {}};
  const std::size_t arity = Arity(call.function);
  if (arity == 0) return Wrong("function", call.function, "a function of librpma.h");
  for (const std::string_view argument : Split(text.substr(open + 1, text.size() - open - 2), ','))
    call.arguments.emplace_back(argument);
  if (call.arguments.size() != arity)
    return Wrong("step", text, std::to_string(arity) + " arguments");
  if (call.function == kNetwork && call.arguments[0] != "silent")
    return Wrong("network", call.arguments[0], "silent");
  if (call.function == kDevice && call.arguments[0] != "gone")
    return Wrong("device", call.arguments[0], "gone");
  for (const std::string& argument : call.arguments)
    if (argument.empty()) return Wrong("step", text, "no empty argument");
  return call;
}

}  // namespace

bool IsScript(std::string_view text) {
  return text.find('(') != std::string_view::npos || text.substr(0, kGiven.size()) == kGiven;
}

std::string Print(const ScriptCall& call) {
  std::string text = call.function + "(";
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    text += (i > 0 ? ", " : "") + call.arguments[i];
  return text + ")";
}

std::string Print(const Script& script) {
  std::string text = script.given.empty() ? "" : "given " + script.given;
  for (const ScriptCall& call : script.calls) text += (text.empty() ? "" : "; ") + Print(call);
  return text;
}

std::variant<Script, ParseError> ParseScript(std::string_view text) {
  Script script;
  bool first = true;
  for (const std::string_view step : Split(text, ';')) {
    if (step.empty()) continue;
    if (first && step.substr(0, kGiven.size()) == kGiven) {
      script.given = Trim(step.substr(kGiven.size()));
      if (FindGiven(script.given) == nullptr) return Wrong("given", script.given, GivenNames());
    } else {
      std::variant<ScriptCall, ParseError> call = ParseCall(step);
      if (const ParseError* error = std::get_if<ParseError>(&call)) return *error;
      script.calls.push_back(std::get<ScriptCall>(std::move(call)));
    }
    first = false;
  }
  return script;
}

Script MustParseScript(std::string_view text) {
  std::variant<Script, ParseError> script = ParseScript(text);
  if (const ParseError* error = std::get_if<ParseError>(&script))
    throw std::logic_error(error->sentence);
  return std::get<Script>(std::move(script));
}

}  // namespace conformance
