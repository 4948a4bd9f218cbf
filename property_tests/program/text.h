// The one-line text form of a program, which a human reads, edits and hands to `replay`:
//
//   sq=4 schedule=manual; write dst=D+8 src=S+0 len=16 flags=ALWAYS ctx=0x7; poll; server.dereg D;
//   drain
//
// Steps are separated by semicolons; a first part of name=value pairs sets what differs from the
// default connection. `server.` in front of a step makes the passive end do it. What a step does
// not name keeps its default.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "property_tests/program/program.h"

namespace conformance {

std::string Print(const Step& step);
std::string Print(const Program& program);

struct ParseError {
  std::string sentence;
};

// Parse(Print(p)) is p, for every program p whose steps set only what their text form can say.
std::variant<Program, ParseError> Parse(std::string_view text);

}  // namespace conformance
