#include <charconv>
#include <optional>

#include "property_tests/program/names.h"
#include "property_tests/program/text.h"

namespace conformance {

namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

// Cuts the part before the next `separator` off the front of `text`.
std::string_view CutTo(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return Trim(part);
}

std::optional<std::uint64_t> ParseNumber(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x")) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// "D+8" into a region and an offset.
template <class Region, std::size_t size>
bool ParsePlace(const Name<Region> (&names)[size], std::string_view text, Region& region,
                std::uint64_t& offset) {
  std::string_view rest = text;
  const std::optional<Region> named = ValueOf(names, CutTo(rest, '+'));
  if (!named) return false;
  region = *named;
  offset = 0;
  if (text.find('+') == std::string_view::npos) return true;
  const std::optional<std::uint64_t> number = ParseNumber(rest);
  if (number) offset = *number;
  return number.has_value();
}

bool ParseFlags(std::string_view text, int& flags) {
  if (const std::optional<int> named = ValueOf(kFlagNames, text)) {
    flags = *named;
    return true;
  }
  const std::optional<std::uint64_t> number = ParseNumber(text);
  if (!number || *number > 0xffffffff) return false;
  flags = static_cast<int>(static_cast<std::uint32_t>(*number));
  return true;
}

bool SetNumber(std::string_view text, std::uint64_t& field) {
  const std::optional<std::uint64_t> number = ParseNumber(text);
  if (number) field = *number;
  return number.has_value();
}

bool SetSource(std::string_view value, Step& step) {
  if (step.kind == StepKind::kWrite)
    return ParsePlace(kSourceNames, value, step.src, step.src_offset);
  if (value != "NULL") return SetNumber(value, step.word);
  step.src = Source::kNull;
  return true;
}

bool SetField(std::string_view name, std::string_view value, Step& step) {
  if (step.kind == StepKind::kAlternate && name == "dst")
    return ParsePlace(kTargetNames, value, step.dst, step.dst_offset) && step.dst == Target::kGood;
  if (!step.posts()) return false;
  if (name == "conn") {
    step.conn = value != "NULL";
    return value == "NULL" || value == "conn";
  }
  if (name == "dst") return ParsePlace(kTargetNames, value, step.dst, step.dst_offset);
  if (name == "src") return SetSource(value, step);
  if (name == "len" && step.kind == StepKind::kWrite) return SetNumber(value, step.len);
  if (name == "flags") return ParseFlags(value, step.flags);
  if (name == "ctx") return SetNumber(value, step.ctx);
  return false;
}

bool SetWord(std::string_view word, Step& step) {
  if (step.kind == StepKind::kDereg) return word == "D";
  if (step.kind == StepKind::kFault) {
    if (const std::optional<std::uint64_t> named = ValueOf(kErrnoNames, word)) {
      step.number = *named;
      return true;
    }
  }
  const bool counts = step.kind == StepKind::kPoll || step.kind == StepKind::kTakeStep ||
                      step.kind == StepKind::kFault || step.kind == StepKind::kAlternate;
  return counts && SetNumber(word, step.number);
}

ParseError Unknown(std::string_view part, std::string_view word) {
  return {"case: '" + std::string(part) + "': cannot read '" + std::string(word) + "'"};
}

std::variant<Step, ParseError> ParseStep(std::string_view part) {
  std::string_view rest = part;
  const std::string_view head = CutTo(rest, ' ');
  std::string_view name = head;
  Step step;
  if (name.starts_with("server.")) {
    step.side = Side::kServer;
    name.remove_prefix(7);
  } else if (name.starts_with("client.")) {
    name.remove_prefix(7);
  }
  const std::optional<StepKind> kind = ValueOf(kStepNames, name);
  if (!kind) return Unknown(part, head);
  step.kind = *kind;
  if (*kind == StepKind::kTakeStep) step.number = 0;
  while (!(rest = Trim(rest)).empty()) {
    const std::string_view word = CutTo(rest, ' ');
    std::string_view value = word;
    const std::string_view field = CutTo(value, '=');
    const bool pair = word.find('=') != std::string_view::npos;
    if (!(pair ? SetField(field, value, step) : SetWord(word, step))) return Unknown(part, word);
  }
  if (step.kind == StepKind::kPoll && (step.number < 1 || step.number > 64))
    return Unknown(part, "poll");
  return step;
}

bool SetConfig(std::string_view name, std::string_view value, Config& config) {
  if (name == "schedule") {
    config.schedule = value == "manual" ? Schedule::kManual : Schedule::kEager;
    return value == "manual" || value == "eager";
  }
  const std::optional<std::uint64_t> number = ParseNumber(value);
  if (!number || *number < 1 || *number > 1 << 20) return false;
  if (name == "sq")
    config.sq = static_cast<std::uint32_t>(*number);
  else if (name == "cq")
    config.cq = static_cast<std::uint32_t>(*number);
  else if (name == "region" && *number >= 16)
    config.region = *number;
  else
    return false;
  return true;
}

}  // namespace

std::variant<Program, ParseError> Parse(std::string_view text) {
  Program program;
  bool first = true;
  while (!(text = Trim(text)).empty()) {
    const std::string_view part = CutTo(text, ';');
    if (part.empty()) continue;
    std::string_view head = part;
    if (first && CutTo(head, ' ').find('=') != std::string_view::npos) {
      for (std::string_view rest = part; !(rest = Trim(rest)).empty();) {
        const std::string_view word = CutTo(rest, ' ');
        std::string_view value = word;
        const std::string_view name = CutTo(value, '=');
        if (!SetConfig(name, value, program.config)) return Unknown(part, word);
      }
    } else {
      std::variant<Step, ParseError> step = ParseStep(part);
      if (ParseError* error = std::get_if<ParseError>(&step)) return *error;
      program.steps.push_back(std::get<Step>(step));
    }
    first = false;
  }
  if (program.steps.empty()) return ParseError{"case: no step"};
  return program;
}

}  // namespace conformance
