#include <sstream>

#include "property_tests/program/names.h"
#include "property_tests/program/text.h"

namespace conformance {

namespace {

std::string Number(std::uint64_t value) {
  constexpr std::uint64_t kReadable = 1 << 20;
  std::ostringstream out;
  if (value >= kReadable) out << "0x" << std::hex;
  out << value;
  return out.str();
}

std::string HexNumber(std::uint64_t value) {
  std::ostringstream out;
  out << "0x" << std::hex << value;
  return out.str();
}

template <std::size_t size>
std::string NameOrHex(const Name<int> (&names)[size], int value) {
  for (const Name<int>& name : names)
    if (name.value == value) return std::string(name.text);
  return HexNumber(static_cast<unsigned>(value));
}

std::string Offset(bool null, std::uint64_t offset) {
  return null && offset == 0 ? "" : "+" + Number(offset);
}

void PrintRemote(std::ostream& out, const Step& step) {
  out << NameOf(kRemoteNames, step.remote)
      << Offset(step.remote == Remote::kNull, step.remote_offset);
}

void PrintLocal(std::ostream& out, const Step& step) {
  const bool good = step.local == Local::kGood;
  out << (good ? step.traits().local_name : NameOf(kLocalNames, step.local))
      << Offset(step.local == Local::kNull, step.local_offset);
}

void PrintRegions(std::ostream& out, const Step& step) {
  const StepTraits& traits = step.traits();
  for (const Place place : {Place::kTarget, Place::kSource}) {
    const char* name = place == Place::kTarget ? " dst=" : " src=";
    if (traits.remote == place) {
      out << name;
      PrintRemote(out, step);
    }
    if (traits.local == place) {
      out << name;
      PrintLocal(out, step);
    }
  }
  if (step.kind == StepKind::kAtomicWrite)
    out << " src=" << (step.local == Local::kNull ? "NULL" : HexNumber(step.word));
}

void PrintPost(std::ostream& out, const Step& step) {
  const StepTraits& traits = step.traits();
  if (!step.handle) out << ' ' << traits.handle << "=NULL";
  PrintRegions(out, step);
  if (traits.len()) out << " len=" << Number(step.len);
  if (step.kind == StepKind::kFlush) out << " type=" << NameOrHex(kFlushTypeNames, step.type);
  if (step.direct_write) out << " peer=direct";
  if (traits.flags()) out << " flags=" << NameOrHex(kFlagNames, step.flags);
  if (traits.imm) out << " imm=" << HexNumber(step.imm);
  out << " ctx=" << HexNumber(step.ctx);
}

std::string Errno(std::uint64_t value) {
  for (const Name<std::uint64_t>& name : kErrnoNames)
    if (name.value == value) return std::string(name.text);
  return Number(value);
}

}  // namespace

std::string Print(const Step& step) {
  std::ostringstream out;
  if (step.side == Side::kServer) out << "server.";
  out << step.traits().name;
  if (step.posts()) PrintPost(out, step);
  switch (step.kind) {
    case StepKind::kPoll:
    case StepKind::kPollRecv:
      if (step.number != 1) out << ' ' << step.number;
      break;
    case StepKind::kTakeStep:
      if (step.number != 0) out << ' ' << step.number;
      break;
    case StepKind::kFault:
      out << ' ' << Errno(step.number);
      break;
    case StepKind::kDereg:
      out << " D";
      break;
    case StepKind::kAlternate:
      out << ' ' << step.number << " dst=D+" << Number(step.remote_offset);
      break;
    default:
      break;
  }
  return out.str();
}

std::string Print(const Program& program) {
  const Config defaults;
  std::ostringstream out;
  const char* space = "";
  const auto pair = [&](const char* name, auto value) {
    out << space << name << '=' << value;
    space = " ";
  };
  for (const ConfigNumber& number : kConfigNumbers)
    if (program.config.*number.field != defaults.*number.field)
      pair(number.name, program.config.*number.field);
  if (program.config.channel) pair("channel", "shared");
  if (program.config.region != defaults.region) pair("region", program.config.region);
  if (program.config.schedule == Schedule::kManual) pair("schedule", "manual");
  if (program.config.schedule == Schedule::kSeeded)
    pair("schedule", "seeded:" + std::to_string(program.config.seed));
  const char* separator = *space != '\0' ? "; " : "";
  for (const Step& step : program.steps) {
    out << separator << Print(step);
    separator = "; ";
  }
  return out.str();
}

}  // namespace conformance
