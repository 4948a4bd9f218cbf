#include "property_tests/command_line.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

namespace conformance {

namespace {

constexpr char kAbout[] =
    "Judges a librpma by its manual pages: every rule of rpma_write(3) and rpma_atomic_write(3).\n"
    "The library is loaded in a worker process, so that it may crash, hang or exit and be judged "
    "for it.";

constexpr char kFooter[] =
    "examples:\n"
    "  rpma-conformance                                          the reference library over the "
    "fake NIC\n"
    "  rpma-conformance --sut /usr/lib/x86_64-linux-gnu/librpma.so.0 'rpma_write.*'\n"
    "  rpma-conformance --nic system --addr 192.168.0.1          over this machine's RDMA device\n"
    "  rpma-conformance explain rpma_write.flags-zero\n"
    "  rpma-conformance replay 'write dst=D+8 src=S+0 len=16 flags=ALWAYS ctx=0x7; poll; drain'\n"
    "exit status: 0 every rule that must hold holds, 1 one does not, 2 inconclusive, 3 environment "
    "not usable,\n"
    "64 usage, 70 internal error";

constexpr std::size_t kProgramsOnFake = 3000;
constexpr std::size_t kProgramsOnSystem = 20;

struct Raw {
  std::string sut, nic = "fake", address, fake_dir, expectations, text;
  std::optional<std::uint64_t> seed, cases;
  std::vector<std::string> globs;
};

std::string FolderOfThisProgram() {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  const std::string file(path, size > 0 ? static_cast<std::size_t>(size) : 0);
  return file.substr(0, file.rfind('/'));
}

void AddStack(CLI::App& app, Raw& raw) {
  app.add_option("--sut", raw.sut,
                 "library under test [librpma.so.0 in ../lib beside this program]");
  app.add_option("--nic", raw.nic,
                 "what answers behind libibverbs: the fake, or what the system has")
      ->check(CLI::IsMember({"fake", "system"}));
  app.add_option("--addr", raw.address,
                 "address of the RDMA device [fake: 127.0.0.1; system: $RXE_ADDR]");
  app.add_option("--fake-dir", raw.fake_dir,
                 "folder of the fake's libraries [../lib/fakenic beside this program]");
}

void AddRun(CLI::App& app, Raw& raw) {
  AddStack(app, raw);
  app.add_option("--seed", raw.seed, "repeats a run; random by default, and always printed");
  app.add_option(
      "--cases", raw.cases,
      "random programs a page [fake: 3000, system: 20]; on system also bounds the argument cases");
  app.add_option("--expect", raw.expectations,
                 "TOML file of rules known to be broken, each with its reason");
  app.add_option("RULE-GLOB", raw.globs, "rules to judge, as in 'rpma_write.*' [all]");
}

void Complete(const Raw& raw, Request& request) {
  const std::string folder = FolderOfThisProgram();
  Stack& stack = request.stack;
  stack.fake = raw.nic == "fake";
  stack.sut = !raw.sut.empty() ? raw.sut : folder + "/../lib/librpma.so.0";
  stack.fake_dir = !raw.fake_dir.empty() ? raw.fake_dir : folder + "/../lib/fakenic";
  stack.address = raw.address;
  const char* rxe = std::getenv("RXE_ADDR");
  if (stack.address.empty() && stack.fake) stack.address = "127.0.0.1";
  if (stack.address.empty() && rxe != nullptr) stack.address = rxe;
  request.globs = raw.globs;
  request.expectations = raw.expectations;
  request.text = raw.text;
  request.amount.seed = raw.seed ? *raw.seed : std::random_device{}();
  request.amount.programs = raw.cases.value_or(stack.fake ? kProgramsOnFake : kProgramsOnSystem);
  request.amount.sample = stack.fake ? 0 : std::max<std::size_t>(request.amount.programs, 1);
}

bool Parse(CLI::App& app, int argc, char** argv, int& exit_status) {
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::Success& help) {
    exit_status = app.exit(help);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    exit_status = kExitUsage;
  }
  return false;
}

}  // namespace

std::optional<Request> ParseCommandLine(int argc, char** argv, int& exit_status) {
  Request request;
  Raw raw;
  CLI::App app(kAbout, "rpma-conformance");
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  AddRun(app, raw);
  CLI::App* run = app.add_subcommand("run", "judge the library (the default)");
  AddRun(*run, raw);
  CLI::App* list = app.add_subcommand("list", "the rules");
  list->add_option("RULE-GLOB", raw.globs, "only these");
  CLI::App* explain =
      app.add_subcommand("explain", "one rule: where it comes from, what it demands");
  explain->add_option("RULE", raw.text, "its id")->required();
  CLI::App* replay = app.add_subcommand("replay", "run one case and show every call");
  AddStack(*replay, raw);
  replay->add_option("CASE", raw.text, "the case, as a report prints it")->required();
  CLI::App* sweep =
      app.add_subcommand("sweep", "make every call fail in every scenario, and count (fake only)");
  AddStack(*sweep, raw);
  if (!Parse(app, argc, argv, exit_status)) return std::nullopt;
  if (*list) request.command = Command::kList;
  if (*explain) request.command = Command::kExplain;
  if (*replay) request.command = Command::kReplay;
  if (*sweep) request.command = Command::kSweep;
  Complete(raw, request);
  const bool runs = request.command == Command::kRun || request.command == Command::kReplay;
  if (runs && request.stack.address.empty()) {
    std::cerr << "--nic system: needs the device's address, by --addr or RXE_ADDR\n";
    exit_status = kExitUsage;
    return std::nullopt;
  }
  return request;
}

}  // namespace conformance
