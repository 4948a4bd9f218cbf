// A case as a C program on librpma.h that shows the same without the suite.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "property_tests/program/program.h"
#include "property_tests/worker/trace.h"
#include "spec/rule.h"

namespace conformance {

// What the library was found to break by the case.
struct Broken {
  const spec::Rule* rule;
  std::string allowed;
  std::string seen;
};

struct CaseInC {
  std::string text;
  std::optional<Broken> broken;
};

// `events`: of the script's run, with what each call owes.
std::string ScriptInC(const CaseInC& what, const std::vector<TraceEvent>& events);
std::string ProgramInC(const CaseInC& what, const Program& program);

// The parts that both kinds have in common: what the program is, what it includes, how it judges.
std::string HeadInC(const CaseInC& what, const std::string& body);
// How `main` ends. `unsaid`: what the program cannot judge; "" if there is nothing.
std::string EndInC(const std::string& unsaid);
// The finding as something that the program cannot judge.
std::string Unsaid(const Broken& broken);
// As a string literal, with its quotes.
std::string QuotedInC(std::string_view text);
// As a comment of one line or several.
std::string CommentInC(std::string_view text);

}  // namespace conformance
