#include "property_tests/report/expectations_update.h"

#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "property_tests/glob.h"
#include "property_tests/report/expectations.h"

namespace conformance {

namespace {

using Lines = std::vector<std::string>;

struct Entry {
  std::size_t line;  // of its [[expected]], from 1
  std::string stack;
  std::string rule;
};

bool IsExact(const std::string& glob) { return glob.find_first_of("*?[") == std::string::npos; }

Lines LinesOf(const std::string& file) {
  std::ifstream in(file);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<Entry> EntriesOf(const std::string& file) {
  std::vector<Entry> entries;
  const toml::table document = toml::parse_file(file);
  if (const toml::array* array = document["expected"].as_array())
    for (const toml::node& node : *array)
      if (const toml::table* table = node.as_table())
        entries.push_back({node.source().begin.line, (*table)["stack"].value_or("*"),
                           (*table)["rule"].value_or("")});
  return entries;
}

// Held, as far as this run could tell: some rule of the entry passed, and none is broken.
bool HoldsNoMore(const Entry& entry, const StackResult& stack) {
  bool passed = false;
  for (const RuleResult& rule : stack.rules) {
    if (!Matches(entry.rule, rule.rule)) continue;
    if (rule.verdict != Verdict::kPass && rule.verdict != Verdict::kUnexpected) return false;
    passed = true;
  }
  return passed;
}

// An entry ends before the next one, or before the comments and blank lines that precede it.
void Erase(Lines& lines, std::size_t begin) {
  const auto is_header = [](const std::string& line) { return line.rfind("[[", 0) == 0; };
  const auto first = lines.begin() + static_cast<std::ptrdiff_t>(begin - 1);
  auto last = std::find_if(first + 1, lines.end(), is_header);
  while (last != lines.end() && last != first + 1 &&
         ((last - 1)->empty() || (last - 1)->front() == '#'))
    --last;
  while (last != lines.end() && last->empty()) ++last;
  lines.erase(first, last);
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + '"';
}

std::string GlobOf(const std::string& name) {
  std::string glob;
  for (const char c : name) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') glob += '\\';
    glob += c;
  }
  return glob;
}

void Append(Lines& lines, const RuleResult& rule, const StackResult& stack,
            const std::string& reason) {
  if (!lines.empty() && !lines.back().empty()) lines.emplace_back();
  std::string seen = rule.was_broken ? "seen: " + rule.counterexample.seen : rule.reason;
  lines.push_back("[[expected]]");
  lines.push_back("rule = " + Quoted(rule.rule));
  lines.push_back("stack = " + Quoted(GlobOf(stack.name())));
  lines.push_back("reason = " + Quoted(reason.empty() ? seen : reason));
}

void WriteLines(const std::string& file, const Lines& lines) {
  std::ofstream out(file);
  for (const std::string& line : lines) out << line << '\n';
  if (!out.flush()) throw std::runtime_error(file + ": cannot be written");
}

}  // namespace

std::variant<ExpectationsUpdate, std::string> UpdateExpectations(const std::string& file,
                                                                 const StackResult& stack,
                                                                 const std::string& reason) {
  ExpectationsUpdate update;
  std::vector<Entry> entries;
  if (std::filesystem::exists(file)) {
    const auto loaded = Expectations::Load(file, {stack.library, stack.nic == "fake", "", ""});
    if (const std::string* problem = std::get_if<std::string>(&loaded)) return *problem;
    entries = EntriesOf(file);
  }
  Lines lines = LinesOf(file);
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (!Matches(entry->stack, stack.name()) || !HoldsNoMore(*entry, stack)) continue;
    if (!IsExact(entry->stack)) {
      update.left.push_back(entry->rule + " holds here, but its entry is for the stacks '" +
                            entry->stack + "'");
      continue;
    }
    Erase(lines, entry->line);
    update.dropped.push_back(entry->rule);
  }
  std::reverse(update.dropped.begin(), update.dropped.end());
  for (const RuleResult& rule : stack.rules) {
    if (!IsBroken(rule.verdict) || rule.verdict == Verdict::kUnexpected) continue;
    Append(lines, rule, stack, reason);
    update.added.push_back(rule.rule);
  }
  if (!update.added.empty() || !update.dropped.empty()) WriteLines(file, lines);
  return update;
}

}  // namespace conformance
