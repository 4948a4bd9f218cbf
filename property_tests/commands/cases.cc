#include "property_tests/commands/cases.h"

#include "property_tests/script/script.h"

namespace conformance {

std::variant<std::string, ParseError> Normalised(const std::string& text) {
  if (IsScript(text)) {
    const std::variant<Script, ParseError> script = ParseScript(text);
    if (const ParseError* error = std::get_if<ParseError>(&script)) return *error;
    return Print(std::get<Script>(script));
  }
  const std::variant<Program, ParseError> program = Parse(text);
  if (const ParseError* error = std::get_if<ParseError>(&program)) return *error;
  return Print(std::get<Program>(program));
}

}  // namespace conformance
