// A program as C: a connection of two ends in one process, and on it the steps, each judged by what
// its own arguments say.
#include "property_tests/as_c/c_program.h"
#include "property_tests/as_c/steps_in_c.h"
#include "property_tests_as_c.h"
#include "spec/model/text.h"
#include "spec/rpma_atomic_write.h"

namespace conformance {

namespace {

using spec::model::Text;

// Of the C program.
constexpr std::string_view kSource = "SOURCE";
constexpr std::string_view kTarget = "TARGET";
constexpr std::string_view kLanding = "LANDING";

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

// What is broken between two steps of the NIC shows to nobody who looks at calls alone.
bool CanBeSaid(const Broken& broken) {
  return broken.rule != spec::rpma_atomic_write::kPage.untorn;
}

std::string Connect(const std::string& client, const std::string& server) {
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
  if (!server.empty()) add("now = \"connecting\";");
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

std::string Prelude(const CaseInC& what, const Program& program, const StepsInC& steps) {
  const Config& c = program.config;
  const bool manual = c.schedule == Schedule::kManual;
  std::string text = PartOfConnection("");
  text = Replaced(text, "@CONFIG@",
                  Text(c.sq, ", ", c.rq, ", ", c.cq, ", ", c.rcq, ", ", c.srq, ", ", c.srcq, ", ",
                       c.channel ? "true" : "false"));
  text = Replaced(text, "@REGION@", Text(c.region));
  text = Replaced(text, "@RUN@", manual ? "FAKENIC(fakenic_run)();\n\t" : "");
  if (steps.judges_bytes()) text += PartOfConnection("same");
  if (steps.tells_direct_write()) text += PartOfConnection("direct write");
  const auto has = [&](StepKind kind) {
    for (const Step& step : program.steps)
      if (step.kind == kind) return true;
    return false;
  };
  if (what.broken && what.broken->allowed == kPostsNothing) text += PartOfConnection("count");
  if (has(StepKind::kWait)) text += PartOfConnection("wait");
  if (has(StepKind::kTakeStep)) text += PartOfConnection("step");
  if (has(StepKind::kFault)) text += PartOfConnection("fault");
  return text;
}

std::string Regions(const StepsInC& steps) {
  std::string text;
  for (const char* end : {"client", "server"})
    text += Text("\t", end, ".marker = region(peer, 2 * REGION + 64, ", kSource, " | ", kTarget,
                 " | ", kLanding, ", 0);\n");
  for (const auto& [side, name] : steps.regions())
    for (const RegionKind& kind : kRegionKinds)
      if (kind.name == name)
        text += Text("\tstruct region ", NameOfEnd(side), "_", name, " = region(",
                     kind.foreign ? "other_peer" : "peer", ", REGION, ", kind.usage, ", ",
                     kind.shift, ");\n");
  for (const auto& [side, name] : steps.regions())
    if (name == "stale") text += Text("\tmust(rpma_mr_dereg(&", NameOfEnd(side), "_stale.mr));\n");
  return text;
}

std::string Main(const CaseInC& what, const Config& config, const StepsInC& steps, bool fake) {
  std::string text = "\nint main(int argc, char **argv)\n{\n";
  text += "\tconst char *addr = argc > 1 ? argv[1] : \"127.0.0.1\";\n";
  text += "\tconst char *port = argc > 2 ? argv[2] : \"7471\";\n";
  text +=
      "\tstruct ibv_context *context = NULL;\n\tchar word[8] = {0};\n\tint code = "
      "0;\n\t(void)word;\n\t(void)code;\n";
  if (fake)
    text +=
        "\tif (FAKENIC(fakenic_fail_call) == NULL) {\n"
        "\t\tputs(\"this needs the fake NIC: fakenic run\");\n\t\treturn 3;\n\t}\n";
  text += "\tsignal(SIGALRM, gave_up);\n\talarm(10);\n";
  text +=
      "\tmust(rpma_utils_get_ibv_context(addr, RPMA_UTIL_IBV_CONTEXT_LOCAL, &context));\n"
      "\tmust(rpma_peer_new(context, &peer));\n\tmust(rpma_peer_new(context, &other_peer));\n";
  text += Regions(steps);
  text += Connect(steps.early(Side::kClient), steps.early(Side::kServer));
  if (config.schedule == Schedule::kManual)
    text += "\tFAKENIC(fakenic_set_schedule)(FAKENIC_MANUAL);\n";
  if (config.schedule == Schedule::kSeeded)
    text += Text("\tFAKENIC(fakenic_set_seed)(", config.seed,
                 ");\n\tFAKENIC(fakenic_set_schedule)(FAKENIC_SEEDED);\n");
  text += "\n" + steps.body() + "\n";
  if (fake) text += "\tFAKENIC(fakenic_set_schedule)(FAKENIC_EAGER);\n";
  for (const auto& [side, name] : steps.regions())
    if (steps.judges_bytes())
      text += Text("\tsame(&", NameOfEnd(side), "_", name, ", \"the bytes of ", NameOfEnd(side),
                   "'s ", name, " that the operations leave\");\n");
  text += "\tdisconnect();\n\tmust(rpma_ep_shutdown(&ep));\n";
  const bool silent = what.broken && !CanBeSaid(*what.broken);
  return text + EndInC(silent ? Unsaid(*what.broken) : "");
}

}  // namespace

std::string ProgramInC(const CaseInC& what, const Program& program) {
  StepsInC steps(what, program);
  steps.Write();
  const std::string prelude = Prelude(what, program, steps);
  const bool fake = program.config.schedule != Schedule::kEager ||
                    prelude.find("FAKENIC(") != std::string::npos ||
                    steps.body().find("FAKENIC(") != std::string::npos;
  return HeadInC(what, prelude + Main(what, program.config, steps, fake));
}

}  // namespace conformance
