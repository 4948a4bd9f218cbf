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

// The offset of "D+8".
bool ParseOffset(std::string_view text, std::uint64_t& offset) {
  const std::size_t plus = text.find('+');
  offset = 0;
  if (plus == std::string_view::npos) return true;
  const std::optional<std::uint64_t> number = ParseNumber(text.substr(plus + 1));
  if (number) offset = *number;
  return number.has_value();
}

bool ParseRemote(std::string_view text, Step& step) {
  const std::optional<Remote> named = ValueOf(kRemoteNames, text.substr(0, text.find('+')));
  if (named) step.remote = *named;
  return named && ParseOffset(text, step.remote_offset);
}

bool ParseLocal(std::string_view text, Step& step) {
  const std::string_view name = text.substr(0, text.find('+'));
  const std::optional<Local> named =
      name == step.traits().local_name ? Local::kGood : ValueOf(kLocalNames, name);
  if (named) step.local = *named;
  return named && ParseOffset(text, step.local_offset);
}

bool ParseRegion(Place place, std::string_view text, Step& step) {
  const StepTraits& traits = step.traits();
  if (traits.remote == place) return ParseRemote(text, step);
  if (traits.local == place) return ParseLocal(text, step);
  return false;
}

// A named value, or 32 bits.
template <std::size_t size>
bool ParseInt(const Name<int> (&names)[size], std::string_view text, int& value) {
  if (const std::optional<int> named = ValueOf(names, text)) {
    value = *named;
    return true;
  }
  const std::optional<std::uint64_t> number = ParseNumber(text);
  if (!number || *number > 0xffffffff) return false;
  value = static_cast<int>(static_cast<std::uint32_t>(*number));
  return true;
}

bool SetNumber(std::string_view text, std::uint64_t& field) {
  const std::optional<std::uint64_t> number = ParseNumber(text);
  if (number) field = *number;
  return number.has_value();
}

bool SetImm(std::string_view text, std::uint32_t& imm) {
  const std::optional<std::uint64_t> number = ParseNumber(text);
  if (!number || *number > 0xffffffff) return false;
  imm = static_cast<std::uint32_t>(*number);
  return true;
}

bool SetWordToWrite(std::string_view value, Step& step) {
  if (value != "NULL") return SetNumber(value, step.word);
  step.local = Local::kNull;
  return true;
}

bool SetField(std::string_view name, std::string_view value, Step& step) {
  const StepTraits& traits = step.traits();
  if (step.kind == StepKind::kAlternate && name == "dst")
    return ParseRemote(value, step) && step.remote == Remote::kGood;
  if (!traits.posts()) return false;
  if (name == traits.handle) {
    step.handle = value != "NULL";
    return value == "NULL" || value == traits.handle;
  }
  if (name == "src" && step.kind == StepKind::kAtomicWrite) return SetWordToWrite(value, step);
  if (name == "dst") return ParseRegion(Place::kTarget, value, step);
  if (name == "src") return ParseRegion(Place::kSource, value, step);
  if (name == "len" && traits.len()) return SetNumber(value, step.len);
  if (name == "flags" && traits.flags()) return ParseInt(kFlagNames, value, step.flags);
  if (name == "imm" && traits.imm) return SetImm(value, step.imm);
  if (name == "ctx") return SetNumber(value, step.ctx);
  if (step.kind != StepKind::kFlush) return false;
  if (name == "type") return ParseInt(kFlushTypeNames, value, step.type);
  step.direct_write = name == "peer" && value == "direct";
  return step.direct_write;
}

bool Counts(StepKind kind) {
  return kind == StepKind::kPoll || kind == StepKind::kPollRecv || kind == StepKind::kTakeStep ||
         kind == StepKind::kFault || kind == StepKind::kAlternate;
}

const StepTraits* FindKind(std::string_view name) {
  for (const StepTraits& traits : kStepTraits)
    if (traits.name == name) return &traits;
  return nullptr;
}

bool SetWord(std::string_view word, Step& step) {
  if (step.kind == StepKind::kDereg) return word == "D";
  if (step.kind == StepKind::kFault) {
    if (const std::optional<std::uint64_t> named = ValueOf(kErrnoNames, word)) {
      step.number = *named;
      return true;
    }
  }
  return Counts(step.kind) && SetNumber(word, step.number);
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
  const StepTraits* traits = FindKind(name);
  if (traits == nullptr) return Unknown(part, head);
  step.kind = traits->kind;
  if (step.kind == StepKind::kTakeStep) step.number = 0;
  while (!(rest = Trim(rest)).empty()) {
    const std::string_view word = CutTo(rest, ' ');
    std::string_view value = word;
    const std::string_view field = CutTo(value, '=');
    const bool pair = word.find('=') != std::string_view::npos;
    if (!(pair ? SetField(field, value, step) : SetWord(word, step))) return Unknown(part, word);
  }
  const bool polls = step.kind == StepKind::kPoll || step.kind == StepKind::kPollRecv;
  if (polls && (step.number < 1 || step.number > 64)) return Unknown(part, head);
  return step;
}

bool SetSchedule(std::string_view value, Config& config) {
  const std::string_view name = CutTo(value, ':');
  config.schedule = Schedule::kEager;
  if (name == "seeded") {
    const std::optional<std::uint64_t> seed = ParseNumber(value);
    if (!seed || *seed > UINT32_MAX) return false;
    config.schedule = Schedule::kSeeded;
    config.seed = static_cast<std::uint32_t>(*seed);
    return true;
  }
  if (name == "manual") config.schedule = Schedule::kManual;
  return value.empty() && (name == "manual" || name == "eager");
}

bool SetConfig(std::string_view name, std::string_view value, Config& config) {
  if (name == "schedule") return SetSchedule(value, config);
  if (name == "channel") {
    config.channel = value == "shared";
    return config.channel;
  }
  const std::optional<std::uint64_t> number = ParseNumber(value);
  if (!number || *number < 1 || *number > 1 << 20) return false;
  if (name == "region") {
    config.region = *number;
    return true;
  }
  for (const ConfigNumber& known : kConfigNumbers) {
    if (known.name != name) continue;
    config.*known.field = static_cast<std::uint32_t>(*number);
    return true;
  }
  return false;
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
