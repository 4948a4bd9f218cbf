#include "property_tests/as_c/steps_in_c.h"

#include "property_tests/program/names.h"
#include "property_tests/program/text.h"
#include "spec/model/send_queue.h"
#include "spec/model/text.h"

namespace conformance {

namespace {

using spec::model::Fate;
using spec::model::Text;

std::string Lowered(std::string_view name) {
  std::string lowered(name);
  for (char& c : lowered) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lowered;
}

std::string Hexadecimal(std::uint64_t value) { return "0x" + spec::model::Hex(value); }

std::string SizeInC(std::uint64_t value) {
  return value > INT64_MAX ? Text("UINT64_C(", value, ")") : Text(value);
}

std::string FlagsInC(int flags) {
  if (flags == 1) return "RPMA_F_COMPLETION_ON_ERROR";
  return flags == 3 ? "RPMA_F_COMPLETION_ALWAYS" : Text(flags);
}

}  // namespace

const char* NameOfEnd(Side side) { return side == Side::kClient ? "client" : "server"; }

void StepsInC::Say(const Step& step) { Add("now = " + QuotedInC(Print(step)) + ";"); }

std::string StepsInC::Region(Side side, const std::string& name) {
  regions_.insert({side, name});
  return std::string(NameOfEnd(side)) + "_" + name;
}

std::string StepsInC::RemoteOf(const Step& step) {
  if (step.remote == Remote::kNull) return "NULL";
  return Region(OtherThan(step.side), Lowered(NameOf(kRemoteNames, step.remote))) + ".remote";
}

std::string StepsInC::LocalOf(const Step& step) {
  const std::string good = Lowered(step.traits().local_name);
  switch (step.local) {
    case Local::kNull:
      return "NULL";
    case Local::kForeign:
      return Region(step.side, good == "s" ? "foreign_s" : "foreign_l") + ".mr";
    case Local::kNoUsage:
      return Region(step.side, "nousage") + ".mr";
    default:
      return Region(step.side, good) + ".mr";
  }
}

std::string StepsInC::Call(const Step& s) {
  const StepTraits& traits = s.traits();
  const std::string end = NameOfEnd(s.side);
  const std::string context = s.ctx == 0 ? "NULL" : "(void *)" + Hexadecimal(s.ctx);
  const std::string tail = (traits.flags() ? ", " + FlagsInC(s.flags) : "") +
                           (traits.imm ? ", " + Text(s.imm) + "u" : "") + ", " + context + ")";
  std::string call = std::string(PageOf(s.kind).function) + "(";
  const char* handle = s.kind == StepKind::kSrqRecv   ? "srq"
                       : s.kind == StepKind::kReqRecv ? "req"
                                                      : nullptr;
  call += !s.handle ? "NULL" : handle != nullptr ? handle : end + ".conn";
  const std::string local =
      ", " + (traits.local != Place::kNone ? LocalOf(s) + ", " + SizeInC(s.local_offset) : "");
  if (s.kind == StepKind::kAtomicWrite)
    return call + ", " + RemoteOf(s) + ", " + SizeInC(s.remote_offset) +
           (s.local == Local::kNull ? ", NULL" : ", word") + tail;
  if (s.kind == StepKind::kFlush)
    return call + ", " + RemoteOf(s) + ", " + SizeInC(s.remote_offset) + ", " + SizeInC(s.len) +
           (s.type == 0   ? ", RPMA_FLUSH_TYPE_PERSISTENT"
            : s.type == 1 ? ", RPMA_FLUSH_TYPE_VISIBILITY"
                          : ", (enum rpma_flush_type)" + Text(s.type)) +
           tail;
  if (traits.remote == Place::kNone) return call + local + ", " + SizeInC(s.len) + tail;
  const std::string remote = ", " + RemoteOf(s) + ", " + SizeInC(s.remote_offset);
  const bool lands = traits.local == Place::kTarget;
  return call + (lands ? local + remote : remote + local) + ", " + SizeInC(s.len) + tail;
}

// What memory holds after an operation that has to succeed.
void StepsInC::Expect(const Step& step) {
  const StepTraits& traits = step.traits();
  if (step.kind == StepKind::kFlush || step.local == Local::kNull || step.len == 0) return;
  if (traits.remote == Place::kNone) return;
  const Side far = OtherThan(step.side);
  const std::string remote = Region(far, Lowered(NameOf(kRemoteNames, step.remote)));
  if (step.kind == StepKind::kAtomicWrite) {
    Add("\tmemcpy(" + remote + ".expected + " + SizeInC(step.remote_offset) + ", word, 8);");
    return;
  }
  const std::string local = Region(step.side, Lowered(traits.local_name));
  const std::string far_bytes = remote + ".expected + " + SizeInC(step.remote_offset);
  const std::string near_bytes = local + ".expected + " + SizeInC(step.local_offset);
  const bool lands = traits.local == Place::kTarget;
  Add("\tmemcpy(" + (lands ? near_bytes + ", " + far_bytes : far_bytes + ", " + near_bytes) + ", " +
      SizeInC(step.len) + ");");
}

void StepsInC::DirectWrite(const Step& step) {
  if (step.kind != StepKind::kFlush) return;
  if (!step.direct_write && direct_write_.count(step.side) == 0) return;
  direct_write_.insert(step.side);
  Add(Text("direct_write(&", NameOfEnd(step.side), step.direct_write ? ", true);" : ", false);"));
}

// By whichever of its calls the library posts.
void StepsInC::FailNext(const Step& step) {
  fault_ = static_cast<int>(step.number);
  Add(Text("fail_next_post(", fault_, ");"));
}

void StepsInC::Post(const Step& step) {
  const bool stale = step.remote == Remote::kGood && gone_.count(OtherThan(step.side)) > 0;
  const Meaning meaning = MeaningOf(step, program_.config, stale);
  DirectWrite(step);
  Say(step);
  if (step.kind == StepKind::kAtomicWrite)
    Add("{ const uint64_t value = UINT64_C(" + Hexadecimal(step.word) +
        "); memcpy(word, &value, 8); }");
  const bool counts = what_.broken && what_.broken->allowed == kPostsNothing;
  if (counts) Add("posted_before = work_requests();");
  Add("code = " + Call(step) + ";");
  if (counts)
    Add("if (code < 0)\n\t\tjudge(work_requests() == posted_before, \"to post nothing\", code);");
  const bool may_fail = std::exchange(fault_, 0) != 0;
  if (may_fail && !meaning.refusals.empty()) Add("post_failed();");
  if (!meaning.refusals.empty()) return JudgeRefusals(meaning.refusals);
  Accept(step, meaning.operation, may_fail);
}

void StepsInC::JudgeRefusals(const spec::Refusals& refusals) {
  std::string holds;
  std::string allowed;
  for (std::size_t i = 0; i < refusals.size(); ++i) {
    const std::string name = spec::model::NameOfCode(refusals.error(i));
    const std::string code = name.substr(0, name.find(' '));
    if (allowed.find(name) != std::string::npos) continue;
    holds += (holds.empty() ? "" : " || ") + ("code == " + code);
    allowed += (allowed.empty() ? "" : " or ") + name;
  }
  Add("judge(" + holds + ", \"" + allowed + "\", code);");
}

void StepsInC::Accept(const Step& step, const spec::model::Operation& operation, bool may_fail) {
  const bool open = operation.open_rule != nullptr && operation.fate != Fate::kFails;
  const char* fate = open                                ? "OPEN"
                     : operation.fate == Fate::kFails    ? "FAILS"
                     : operation.fate == Fate::kSucceeds ? "SUCCEEDS"
                                                         : "OPEN";
  const std::string end = std::string("&") + NameOfEnd(step.side);
  const std::string queue =
      step.traits().receives() ? "&receiver(" + end + ")->receives" : end + "->sends";
  const bool reports = operation.signal != spec::model::Signal::kOnError;
  const std::string context = step.ctx == 0 ? "NULL" : "(void *)" + Hexadecimal(step.ctx);
  std::string queue_in_c = queue;
  if (!step.traits().receives()) queue_in_c = end + ".sends";
  if (may_fail) {
    bytes_known_ = false;
    Add("if (post_failed())");
    Add("\tjudge(code == RPMA_E_PROVIDER, \"RPMA_E_PROVIDER (-100002)\", code);");
  }
  Add(std::string(may_fail ? "else " : "") + "if (posted(" + end + ", " + queue_in_c + ", code, " +
      context + ", " + fate + (reports ? ", true)) {" : ", false)) {"));
  if (step.traits().message) Add("\t++" + std::string(NameOfEnd(step.side)) + ".sent;");
  if (std::string_view(fate) == "SUCCEEDS") Expect(step);
  Add("}");
  if (step.traits().message || step.traits().receives()) bytes_known_ = false;
}

void StepsInC::Alternate(const Step& step) {
  Say(step);
  Step write;
  write.kind = StepKind::kAtomicWrite;
  write.side = step.side;
  write.remote_offset = step.remote_offset;
  write.ctx = 1;
  const std::string end = NameOfEnd(step.side);
  Add(Text("for (int i = 0; i < ", step.number, "; ++i) {"));
  Add("\tmemset(word, i % 2 ? 0x22 : 0x11, sizeof word);");
  Add("\tcode = " + Call(write) + ";");
  Add("\tif (posted(&" + end + ", &" + end + ".sends, code, (void *)0x1, " +
      (step.remote_offset % 8 == 0 && step.remote_offset + 8 <= program_.config.region ? "SUCCEEDS"
                                                                                       : "OPEN") +
      ", true))");
  Add("\t\tmemcpy(" + Region(OtherThan(step.side), "d") +
      Text(".expected + ", step.remote_offset, ", word, 8);"));
  Add("\tfor (int tries = 0; " + end + ".sends.first < " + end +
      ".sends.end && tries < 200; ++tries)");
  Add("\t\tif (poll_all() == 0)\n\t\t\t\tpause_for_1_ms();");
  Add("}");
}

void StepsInC::Do(const Step& step) {
  const std::string end = NameOfEnd(step.side);
  if (step.posts()) return Post(step);
  switch (step.kind) {
    case StepKind::kPoll:
      Say(step);
      return Add(Text("poll_cq(&", end, ", ", end, ".cq, ", step.number, ");"));
    case StepKind::kPollRecv:
      Say(step);
      return Add(Text("poll_cq(&", end, ", srq_rcq != NULL ? srq_rcq : ", end, ".rcq, ",
                      step.number, ");"));
    case StepKind::kWait:
      Say(step);
      return Add("wait_if_ready(&" + end + ");");
    case StepKind::kTakeStep:
      return Add(Text("take_step(", step.number, ");"));
    case StepKind::kRun:
      return Add("FAKENIC(fakenic_run)();");
    case StepKind::kFault:
      return FailNext(step);
    case StepKind::kDereg:
      Say(step);
      Add("if (" + std::string(NameOfEnd(OtherThan(step.side))) + ".sends.first < " +
          NameOfEnd(OtherThan(step.side)) + ".sends.end)\n\t\tin_doubt = true;");
      Add("must(rpma_mr_dereg(&" + Region(step.side, "d") + ".mr));");
      gone_.insert(step.side);
      return;
    case StepKind::kAlternate:
      return Alternate(step);
    default:
      Add("drain(&client);");
      return Add("drain(&server);");
  }
}

// Only if one end alone posts is the order of all operations known.
bool StepsInC::judges_bytes() const {
  if (!bytes_known_ || regions_.empty()) return false;
  bool by[2] = {false, false};
  for (const Step& step : program_.steps)
    if (step.posts() || step.kind == StepKind::kAlternate) by[static_cast<int>(step.side)] = true;
  return !(by[0] && by[1]);
}

// A receive that is a case of its own gets a message, or one of the program's own does if it was
// refused.
void StepsInC::MessageFor(const Step& receive) {
  const std::string to = NameOfEnd(receive.side);
  const std::string from = NameOfEnd(OtherThan(receive.side));
  const bool empty = receive.local == Local::kNull || receive.len == 0;
  Add("now = \"a message for the receive\";");
  Add("if (receiver(&" + to + ")->offered == 0)\n\t\toffer(&" + to + ");");
  Add("code = rpma_send(" + from + ".conn, " + (empty ? "NULL, 0, 0" : from + ".marker.mr, 0, 1") +
      ", RPMA_F_COMPLETION_ALWAYS, OWN);");
  Add("if (posted(&" + from + ", &" + from + ".sends, code, OWN, SUCCEEDS, true))\n\t\t++" + from +
      ".sent;");
}

void StepsInC::Write() {
  bool connected = false;
  const auto is_early = [&](std::size_t i) {
    while (i < program_.steps.size() && program_.steps[i].kind == StepKind::kFault) ++i;
    return i < program_.steps.size() && program_.steps[i].kind == StepKind::kReqRecv;
  };
  for (std::size_t i = 0; i < program_.steps.size(); ++i) {
    const Step& step = program_.steps[i];
    connected = connected || !is_early(i);
    out_ = connected ? &body_ : &early_[static_cast<int>(step.side)];
    Do(step);
  }
  out_ = &body_;
  if (program_.steps.size() == 1 && program_.steps[0].traits().receives())
    MessageFor(program_.steps[0]);
  if (!program_.steps.empty() && program_.steps.back().kind == StepKind::kDrain) return;
  Add("drain(&client);");
  Add("drain(&server);");
}

}  // namespace conformance
