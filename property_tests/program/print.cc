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

std::string Flags(int flags) {
  for (const Name<int>& name : kFlagNames)
    if (name.value == flags) return std::string(name.text);
  return HexNumber(static_cast<unsigned>(flags));
}

template <class Region>
std::string Place(std::string_view name, Region region, Region null, std::uint64_t offset) {
  std::string text(name);
  if (region != null || offset != 0) text += "+" + Number(offset);
  return text;
}

void PrintPost(std::ostream& out, const Step& step) {
  if (!step.conn) out << " conn=NULL";
  out << " dst=" << Place(NameOf(kTargetNames, step.dst), step.dst, Target::kNull, step.dst_offset);
  if (step.kind == StepKind::kWrite)
    out << " src="
        << Place(NameOf(kSourceNames, step.src), step.src, Source::kNull, step.src_offset)
        << " len=" << Number(step.len);
  else
    out << " src=" << (step.src == Source::kNull ? "NULL" : HexNumber(step.word));
  out << " flags=" << Flags(step.flags) << " ctx=" << HexNumber(step.ctx);
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
  out << NameOf(kStepNames, step.kind);
  switch (step.kind) {
    case StepKind::kWrite:
    case StepKind::kAtomicWrite:
      PrintPost(out, step);
      break;
    case StepKind::kPoll:
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
      out << ' ' << step.number << " dst=D+" << Number(step.dst_offset);
      break;
    case StepKind::kWait:
    case StepKind::kRun:
    case StepKind::kDrain:
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
  if (program.config.sq != defaults.sq) pair("sq", program.config.sq);
  if (program.config.cq != defaults.cq) pair("cq", program.config.cq);
  if (program.config.region != defaults.region) pair("region", program.config.region);
  if (program.config.schedule != defaults.schedule) pair("schedule", "manual");
  const char* separator = *space != '\0' ? "; " : "";
  for (const Step& step : program.steps) {
    out << separator << Print(step);
    separator = "; ";
  }
  return out.str();
}

}  // namespace conformance
