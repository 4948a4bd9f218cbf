// JUnit XML as Jenkins reads it: a test suite a page and stack, a test case a rule.
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "property_tests/report/writers.h"

namespace conformance {

namespace {

// XML cannot say most control characters, not even escaped.
std::string Clean(const std::string& text) {
  std::string clean;
  for (const char c : text)
    clean += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
  return clean;
}

enum class Element { kNone, kFailure, kError, kSkipped };

Element ElementOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kMoot:
    case Verdict::kSeen:
      return Element::kNone;
    case Verdict::kFail:
    case Verdict::kMissing:
    case Verdict::kUnexpected:
    case Verdict::kFlaky:
      return Element::kFailure;
    case Verdict::kInconclusive:
    case Verdict::kUnsupported:
    case Verdict::kDisabled:
    case Verdict::kExpected:
      return Element::kSkipped;
    default:
      return Element::kError;
  }
}

std::string Details(const RuleResult& rule) {
  const Counterexample& shown = rule.counterexample;
  std::string text = rule.place() + ": " + rule.sentence + "\n";
  const auto add = [&](const char* label, const std::string& value) {
    if (!value.empty()) text.append(label).append(value).append("\n");
  };
  add("case: ", shown.text);
  add("allowed: ", shown.allowed);
  add("seen: ", shown.seen);
  add("stack:\n", shown.stack);
  add("printed:\n", shown.output);
  add("replay: ", shown.replay);
  return text;
}

std::string Message(const RuleResult& rule) {
  if (!rule.reason.empty()) return rule.reason;
  return rule.was_broken ? rule.counterexample.seen : std::string(NameOf(rule.verdict));
}

std::string Sightings(const RuleResult& rule) {
  std::string text;
  for (const Sighting& sighting : rule.sightings)
    text += std::to_string(sighting.count) + " " + sighting.what + "\n";
  return text;
}

void AddCase(pugi::xml_node suite, const RuleResult& rule) {
  pugi::xml_node test = suite.append_child("testcase");
  test.append_attribute("classname") = rule.function().c_str();
  test.append_attribute("name") = rule.name().c_str();
  const Element element = ElementOf(rule.verdict);
  if (element == Element::kSkipped) {
    pugi::xml_node skipped = test.append_child("skipped");
    skipped.append_attribute("message") =
        Clean(std::string(NameOf(rule.verdict)) + ": " + rule.reason).c_str();
  } else if (element != Element::kNone) {
    pugi::xml_node broken = test.append_child(element == Element::kFailure ? "failure" : "error");
    broken.append_attribute("message") = Clean(Message(rule)).c_str();
    broken.append_attribute("type") = std::string(NameOf(rule.verdict)).c_str();
    broken.text() = Clean(Details(rule)).c_str();
  }
  std::string out = Sightings(rule);
  if (rule.verdict == Verdict::kExpected && rule.was_broken) out += Details(rule);
  if (!out.empty()) test.append_child("system-out").text() = Clean(out).c_str();
}

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;

  void Add(Verdict verdict) {
    ++tests;
    if (ElementOf(verdict) == Element::kFailure) ++failures;
    if (ElementOf(verdict) == Element::kError) ++errors;
    if (ElementOf(verdict) == Element::kSkipped) ++skipped;
  }
  void Put(pugi::xml_node node) const {
    node.append_attribute("tests") = tests;
    node.append_attribute("failures") = failures;
    node.append_attribute("errors") = errors;
    if (std::string(node.name()) == "testsuite") node.append_attribute("skipped") = skipped;
  }
};

void AddProperties(pugi::xml_node suite, const RunResult& run, const StackResult& stack) {
  pugi::xml_node properties = suite.append_child("properties");
  const auto add = [&](const std::string& name, const std::string& value) {
    pugi::xml_node property = properties.append_child("property");
    property.append_attribute("name") = name.c_str();
    property.append_attribute("value") = Clean(value).c_str();
  };
  add("library", stack.library);
  add("nic", stack.nic);
  add("ends", stack.ends);
  add("seed", std::to_string(run.seed));
  add("mode", run.mode);
  add("strict", run.strict ? "yes" : "no");
  add("ending", stack.ending);
  for (const auto& [name, value] : run.environment) add(name, value);
}

}  // namespace

std::string ToJunit(const RunResult& run) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  root.append_attribute("name") = "rpma-conformance";
  Counts all;
  for (const StackResult& stack : run.stacks)
    for (const RuleResult& rule : stack.rules) all.Add(rule.verdict);
  all.Put(root);
  for (const StackResult& stack : run.stacks) {
    std::map<std::string, pugi::xml_node> suites;
    std::map<std::string, Counts> counts;
    for (const RuleResult& rule : stack.rules) counts[rule.function()].Add(rule.verdict);
    for (const RuleResult& rule : stack.rules) {
      pugi::xml_node& suite = suites[rule.function()];
      if (!suite) {
        suite = root.append_child("testsuite");
        suite.append_attribute("name") = (rule.function() + ": " + stack.name()).c_str();
        counts[rule.function()].Put(suite);
        AddProperties(suite, run, stack);
      }
      AddCase(suite, rule);
    }
  }
  std::ostringstream out;
  document.save(out, " ");
  return out.str();
}

}  // namespace conformance
