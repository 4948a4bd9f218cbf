// A program as C: a connection of two ends in one process, and on it the steps, each judged by what
// its own arguments say.
#include <set>
#include <utility>

#include "property_tests/as_c/c_program.h"
#include "property_tests/program/meaning.h"
#include "property_tests/program/names.h"
#include "property_tests/program/text.h"
#include "property_tests_as_c.h"
#include "spec/model/send_queue.h"
#include "spec/model/text.h"
#include "spec/rpma_atomic_write.h"

namespace conformance {

namespace {

using spec::model::Fate;
using spec::model::Text;

constexpr std::string_view kSource = "RPMA_MR_USAGE_WRITE_SRC | RPMA_MR_USAGE_SEND";
constexpr std::string_view kTarget =
    "RPMA_MR_USAGE_WRITE_DST | RPMA_MR_USAGE_READ_SRC | RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY | "
    "RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT";
constexpr std::string_view kLanding = "RPMA_MR_USAGE_READ_DST | RPMA_MR_USAGE_RECV";

// How a region of this name is made.
struct RegionKind {
  std::string_view name;
  std::string_view usage;
  bool foreign = false;  // of another peer
  int shift = 0;         // from a good boundary
};
constexpr RegionKind kRegionKinds[] = {
    {"d", kTarget},
    {"stale", kTarget},
    {"foreign", kTarget, true},
    {"nowrite", "RPMA_MR_USAGE_READ_SRC"},
    {"noread", "RPMA_MR_USAGE_WRITE_DST"},
    {"odd", kTarget, false, 3},
    {"s", kSource},
    {"l", kLanding},
    {"r", kLanding},
    {"nousage", "RPMA_MR_USAGE_READ_SRC"},
    {"foreign_s", kSource, true},
    {"foreign_l", kLanding, true},
};

std::string Lowered(std::string_view name) {
  std::string lowered(name);
  for (char& c : lowered) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lowered;
}

const char* NameOfEnd(Side side) { return side == Side::kClient ? "client" : "server"; }

std::string Hexadecimal(std::uint64_t value) { return "0x" + spec::model::Hex(value); }

std::string SizeInC(std::uint64_t value) {
  return value > INT64_MAX ? Text("UINT64_C(", value, ")") : Text(value);
}

std::string FlagsInC(int flags) {
  if (flags == 1) return "RPMA_F_COMPLETION_ON_ERROR";
  return flags == 3 ? "RPMA_F_COMPLETION_ALWAYS" : Text(flags);
}

constexpr std::string_view kPostsNothing = "posts nothing";

// What is broken between two steps of the NIC shows to nobody who looks at calls alone.
bool CanBeSaid(const Broken& broken) {
  return broken.rule != spec::rpma_atomic_write::kPage.untorn;
}

class Writer {
 public:
  Writer(const CaseInC& what, const Program& program) : what_(what), program_(program) {}

  std::string Write();

 private:
  void Do(const Step& step);
  void Post(const Step& step);
  void Alternate(const Step& step);
  void Expect(const Step& step);
  std::string Call(const Step& step);
  std::string RemoteOf(const Step& step);
  std::string LocalOf(const Step& step);
  std::string Region(Side side, const std::string& name);
  std::string Prelude(bool fake) const;
  std::string Connect(const std::string& early_client, const std::string& early_server) const;
  void DirectWrite(const Step& step);
  void FailNext(const Step& step);
  bool JudgesBytes() const;
  void Add(const std::string& text) { *out_ += "\t" + text + "\n"; }
  void Say(const Step& step) { Add("now = " + QuotedInC(Print(step)) + ";"); }

  const CaseInC& what_;
  const Program& program_;
  std::set<std::pair<Side, std::string>> regions_;
  std::set<Side> direct_write_;
  std::set<Side> gone_;      // ends that have deregistered D
  bool bytes_known_ = true;  // what memory will hold follows from the steps alone
  int fault_ = 0;
  std::string body_;
  std::string early_[2];
  std::string* out_ = &body_;
};

std::string Writer::Region(Side side, const std::string& name) {
  regions_.insert({side, name});
  return std::string(NameOfEnd(side)) + "_" + name;
}

std::string Writer::RemoteOf(const Step& step) {
  if (step.remote == Remote::kNull) return "NULL";
  return Region(OtherThan(step.side), Lowered(NameOf(kRemoteNames, step.remote))) + ".remote";
}

std::string Writer::LocalOf(const Step& step) {
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

std::string Writer::Call(const Step& s) {
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
void Writer::Expect(const Step& step) {
  const StepTraits& traits = step.traits();
  if (step.kind == StepKind::kFlush || step.local == Local::kNull || step.len == 0) return;
  if (traits.remote == Place::kNone) return;
  const Side far = OtherThan(step.side);
  const std::string remote = Region(far, Lowered(NameOf(kRemoteNames, step.remote)));
  if (step.kind == StepKind::kAtomicWrite) {
    Add("memcpy(" + remote + ".expected + " + SizeInC(step.remote_offset) + ", word, 8);");
    return;
  }
  const std::string local = Region(step.side, Lowered(traits.local_name));
  const std::string far_bytes = remote + ".expected + " + SizeInC(step.remote_offset);
  const std::string near_bytes = local + ".expected + " + SizeInC(step.local_offset);
  const bool lands = traits.local == Place::kTarget;
  Add("memcpy(" + (lands ? near_bytes + ", " + far_bytes : far_bytes + ", " + near_bytes) + ", " +
      SizeInC(step.len) + ");");
}

void Writer::DirectWrite(const Step& step) {
  if (step.kind != StepKind::kFlush) return;
  if (!step.direct_write && direct_write_.count(step.side) == 0) return;
  direct_write_.insert(step.side);
  Add(Text("direct_write(&", NameOfEnd(step.side), step.direct_write ? ", true);" : ", false);"));
}

// By whichever of its calls the library posts.
void Writer::FailNext(const Step& step) {
  fault_ = static_cast<int>(step.number);
  Add(Text("fail_next_post(", fault_, ");"));
}

void Writer::Post(const Step& step) {
  const bool stale = step.remote == Remote::kGood && gone_.count(OtherThan(step.side)) > 0;
  const Meaning meaning = MeaningOf(step, program_.config, stale);
  const spec::model::Operation& operation = meaning.operation;
  DirectWrite(step);
  Say(step);
  if (step.kind == StepKind::kAtomicWrite)
    Add("memcpy(word, (uint64_t[]){UINT64_C(" + Hexadecimal(step.word) + ")}, 8);");
  const bool counts = what_.broken && what_.broken->allowed == kPostsNothing;
  if (counts) Add("posted_before = work_requests();");
  Add("code = " + Call(step) + ";");
  if (counts)
    Add("if (code < 0)\n\t\tjudge(work_requests() == posted_before, \"to post nothing\", code);");
  const bool may_fail = std::exchange(fault_, 0) != 0;
  if (may_fail && !meaning.refusals.empty()) Add("post_failed();");
  if (!meaning.refusals.empty()) {
    std::string holds;
    std::string allowed;
    for (std::size_t i = 0; i < meaning.refusals.size(); ++i) {
      const std::string name = spec::model::NameOfCode(meaning.refusals.error(i));
      const std::string code = name.substr(0, name.find(' '));
      if (allowed.find(name) != std::string::npos) continue;
      holds += (holds.empty() ? "" : " || ") + ("code == " + code);
      allowed += (allowed.empty() ? "" : " or ") + name;
    }
    return Add("judge(" + holds + ", \"" + allowed + "\", code);");
  }
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

void Writer::Alternate(const Step& step) {
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

void Writer::Do(const Step& step) {
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

std::string Writer::Connect(const std::string& client, const std::string& server) const {
  std::string text;
  const auto add = [&](const std::string& line) { text += "\t" + line + "\n"; };
  add("struct rpma_ep *ep = NULL;");
  add("struct rpma_conn_req *req = NULL;");
  add("struct rpma_conn_cfg *cfg = configured();");
  add("must(rpma_ep_listen(peer, addr, port, &ep));");
  add("must(rpma_conn_req_new(peer, addr, port, cfg, &req));");
  text += client;
  add("now = \"connecting\";");
  add("must(rpma_conn_req_connect(&req, NULL, &client.conn));");
  add("must(rpma_ep_next_conn_req(ep, cfg, &req));");
  text += server;
  add("now = \"connecting\";");
  add("must(rpma_conn_req_connect(&req, NULL, &server.conn));");
  add("must(rpma_conn_cfg_delete(&cfg));");
  add("established(&client);");
  add("established(&server);");
  return text;
}

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
  return text;
}

// The file has a part that every program needs, and others that begin with "@PART name@".
std::string PartOfConnection(std::string_view name) {
  constexpr std::string_view kAll = kConnectionInC;
  constexpr std::string_view kMark = "@PART ";
  const std::string start = std::string(kMark).append(name).append("@\n");
  const std::size_t from = name.empty() ? 0 : kAll.find(start) + start.size();
  return std::string(kAll.substr(from, kAll.find(kMark, from) - from));
}

std::string Writer::Prelude(bool manual) const {
  const Config& c = program_.config;
  std::string text = PartOfConnection("");
  text = Replaced(text, "@CONFIG@",
                  Text(c.sq, ", ", c.rq, ", ", c.cq, ", ", c.rcq, ", ", c.srq, ", ", c.srcq, ", ",
                       c.channel ? "true" : "false"));
  text = Replaced(text, "@REGION@", Text(c.region));
  text = Replaced(text, "@RUN@", manual ? "FAKENIC(fakenic_run)();\n\t" : "");
  if (JudgesBytes()) text += PartOfConnection("same");
  if (!direct_write_.empty()) text += PartOfConnection("direct write");
  const auto has = [&](StepKind kind) {
    for (const Step& step : program_.steps)
      if (step.kind == kind) return true;
    return false;
  };
  if (what_.broken && what_.broken->allowed == kPostsNothing) text += PartOfConnection("count");
  if (has(StepKind::kWait)) text += PartOfConnection("wait");
  if (has(StepKind::kTakeStep)) text += PartOfConnection("step");
  if (has(StepKind::kFault)) text += PartOfConnection("fault");
  return text;
}

// Only if one end alone posts is the order of all operations known.
bool Writer::JudgesBytes() const {
  if (!bytes_known_ || regions_.empty()) return false;
  bool by[2] = {false, false};
  for (const Step& step : program_.steps)
    if (step.posts() || step.kind == StepKind::kAlternate) by[static_cast<int>(step.side)] = true;
  return !(by[0] && by[1]);
}

std::string Writer::Write() {
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
  const bool lone = program_.steps.size() == 1 && program_.steps[0].traits().receives();
  if (lone) {
    const std::string from = NameOfEnd(OtherThan(program_.steps[0].side));
    Add("now = \"a message for the receive\";");
    Add("if (receiver(&" + std::string(NameOfEnd(program_.steps[0].side)) +
        ")->offered == 0)\n\t\toffer(&" + NameOfEnd(program_.steps[0].side) + ");");
    Add("code = rpma_send(" + from + ".conn, " +
        (program_.steps[0].local == Local::kNull || program_.steps[0].len == 0
             ? "NULL, 0, 0"
             : from + ".marker.mr, 0, 1") +
        ", RPMA_F_COMPLETION_ALWAYS, OWN);");
    Add("if (posted(&" + from + ", &" + from + ".sends, code, OWN, SUCCEEDS, true))\n\t\t++" +
        from + ".sent;");
  }
  if (program_.steps.empty() || program_.steps.back().kind != StepKind::kDrain) {
    Add("drain(&client);");
    Add("drain(&server);");
  }
  const bool manual = program_.config.schedule == Schedule::kManual;
  std::string text = Prelude(manual);
  text += "\nint main(int argc, char **argv)\n{\n";
  text += "\tconst char *addr = argc > 1 ? argv[1] : \"127.0.0.1\";\n";
  text += "\tconst char *port = argc > 2 ? argv[2] : \"7471\";\n";
  text +=
      "\tstruct ibv_context *context = NULL;\n\tchar word[8] = {0};\n\tint code = "
      "0;\n\t(void)word;\n\t(void)code;\n";
  const bool fake = manual || program_.config.schedule == Schedule::kSeeded ||
                    body_.find("FAKENIC(") != std::string::npos ||
                    text.find("FAKENIC(") != std::string::npos;
  if (fake)
    text +=
        "\tif (FAKENIC(fakenic_fail_call) == NULL) {\n"
        "\t\tputs(\"this needs the fake NIC: fakenic run\");\n\t\treturn 3;\n\t}\n";
  text += "\tsignal(SIGALRM, gave_up);\n\talarm(10);\n";
  text +=
      "\tmust(rpma_utils_get_ibv_context(addr, RPMA_UTIL_IBV_CONTEXT_LOCAL, &context));\n"
      "\tmust(rpma_peer_new(context, &peer));\n\tmust(rpma_peer_new(context, &other_peer));\n";
  for (const char* end : {"client", "server"})
    text += Text("\t", end, ".marker = region(peer, 2 * REGION + 64, ", kSource, " | ", kTarget,
                 " | ", kLanding, ", 0);\n");
  for (const auto& [side, name] : regions_)
    for (const RegionKind& kind : kRegionKinds)
      if (kind.name == name)
        text += Text("\tstruct region ", NameOfEnd(side), "_", name, " = region(",
                     kind.foreign ? "other_peer" : "peer", ", REGION, ", kind.usage, ", ",
                     kind.shift, ");\n");
  for (const auto& [side, name] : regions_)
    if (name == "stale") text += Text("\tmust(rpma_mr_dereg(&", NameOfEnd(side), "_stale.mr));\n");
  text += Connect(early_[0], early_[1]);
  if (manual) text += "\tFAKENIC(fakenic_set_schedule)(FAKENIC_MANUAL);\n";
  if (program_.config.schedule == Schedule::kSeeded)
    text += Text("\tFAKENIC(fakenic_set_seed)(", program_.config.seed,
                 ");\n\tFAKENIC(fakenic_set_schedule)(FAKENIC_SEEDED);\n");
  text += "\n" + body_ + "\n";
  if (fake) text += "\tFAKENIC(fakenic_set_schedule)(FAKENIC_EAGER);\n";
  for (const auto& [side, name] : regions_)
    if (JudgesBytes())
      text += Text("\tsame(&", NameOfEnd(side), "_", name, ", \"the bytes of ", NameOfEnd(side),
                   "'s ", name, " that the operations leave\");\n");
  text += "\tdisconnect();\n\tmust(rpma_ep_shutdown(&ep));\n";
  const bool silent = what_.broken && !CanBeSaid(*what_.broken);
  return text + EndInC(silent ? Unsaid(*what_.broken) : "");
}

}  // namespace

std::string ProgramInC(const CaseInC& what, const Program& program) {
  return HeadInC(what, Writer(what, program).Write());
}

}  // namespace conformance
