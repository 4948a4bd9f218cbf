#include "property_tests/command_line.h"

#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <random>
#include <thread>

namespace conformance {

namespace {

constexpr char kAbout[] =
    "Judges a librpma by the rules of its manual pages.\n"
    "The library is loaded in worker processes, so that it may crash, hang or exit and be judged "
    "for it.";

constexpr char kFooter[] =
    "examples:\n"
    "  rpma-conformance                                          the reference library over the "
    "fake NIC\n"
    "  rpma-conformance --sut ./librpma.so.0 --html report.html  your library, with a report to "
    "read\n"
    "  rpma-conformance --sut ./librpma.so.0 'rpma_write.*'      the rules of one page\n"
    "  rpma-conformance --nic system --addr 192.168.0.1          over this machine's RDMA device\n"
    "  rpma-conformance explain rpma_write.flags-zero\n"
    "  rpma-conformance replay 'write dst=D+8 src=S+0 len=16 flags=ALWAYS ctx=0x7; poll; drain'\n"
    "exit status: 0 every rule that must hold holds, 1 one does not, 2 inconclusive, 3 environment "
    "not usable,\n"
    "64 usage, 70 internal error";

constexpr std::size_t kProgramsOnFake = 3000;
constexpr std::size_t kProgramsOnSystem = 20;
constexpr std::size_t kQuickPrograms = 100;
constexpr std::size_t kQuickSample = 300;
constexpr std::uint64_t kCertifySeed = 1;

struct Raw {
  std::vector<std::string> suts;
  std::string nic = "fake", ends = "one-process", address, fake_dir, mode = "ci", budget,
              report_dir;
  std::string only;
  std::string json, junit, tap, markdown, html;
  std::optional<std::uint64_t> seed, cases;
  std::optional<int> workers;
};

std::string FolderOfThisProgram() {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  const std::string file(path, size > 0 ? static_cast<std::size_t>(size) : 0);
  return file.substr(0, file.rfind('/'));
}

void AddStack(CLI::App& app, Raw& raw) {
  app.add_option("--sut", raw.suts,
                 "library under test; several stand side by side [librpma.so.0 in ../lib beside "
                 "this program]")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--nic", raw.nic,
                 "what answers behind libibverbs: the fake, or what the system has")
      ->check(CLI::IsMember({"fake", "system"}));
  app.add_option("--addr", raw.address,
                 "address of the RDMA device [fake: 127.0.0.1; system: $RXE_ADDR]");
  app.add_option("--ends", raw.ends,
                 "where the two ends of a connection are: one-process, or two-processes that meet "
                 "over the NIC alone")
      ->check(CLI::IsMember({"one-process", "two-processes"}));
  app.add_option("--fake-dir", raw.fake_dir,
                 "folder of the fake's libraries [../lib/fakenic beside this program]");
}

void AddSelection(CLI::App& app, Request& request) {
  app.add_option("RULE-GLOB", request.globs, "only these rules, as in 'rpma_write.*' [all]");
  const auto add = [&](const char* name, std::vector<std::string>& list, const char* help) {
    app.add_option(name, list, help)->take_all()->allow_extra_args(false);
  };
  add("--page", request.pages, "only the rules of this page, as in rpma_write (a glob)");
  add("--section", request.sections, "only the rules of this section, as in ERRORS (a glob)");
  add("--exclude", request.excluded, "not these rules (a glob); they are counted as disabled");
}

void AddStrict(CLI::App& app, Request& request) {
  app.add_flag("--strict", request.amount.strict,
               "also the should-rules: what no page promises, and a careful library does");
}

void AddReports(CLI::App& app, Raw& raw) {
  app.add_option("--json", raw.json, "write the report as JSON to this file");
  app.add_option("--junit", raw.junit, "the same as JUnit XML");
  app.add_option("--tap", raw.tap, "the same as TAP 14");
  app.add_option("--markdown", raw.markdown, "a summary for a CI job's page");
  app.add_option("--html", raw.html, "one page to read in a browser");
  app.add_option("--report-dir", raw.report_dir, "all of these, into this folder");
}

void AddRun(CLI::App& app, Raw& raw, Request& request) {
  AddStack(app, raw);
  AddSelection(app, request);
  AddStrict(app, request);
  AddReports(app, raw);
  app.add_option("--mode", raw.mode,
                 "quick: seconds, a sample; ci: everything; certify: everything, a fixed seed, no "
                 "expectations, no skips")
      ->check(CLI::IsMember({"quick", "ci", "certify"}));
  app.add_option("--only", raw.only,
                 "half of the suite: arguments, what is enumerated; models, what is random")
      ->check(CLI::IsMember({"arguments", "models"}));
  app.add_option("-j,--jobs", raw.workers,
                 "processes that judge side by side [fake: one a processor; system: 1]")
      ->check(CLI::Range(1, 256));
  app.add_option("--time-budget", raw.budget, "stop after this time, as in 90s, 5m or 1h");
  app.add_option("--seed", raw.seed, "repeats a run; random by default, and always printed");
  app.add_option(
      "--cases", raw.cases,
      "random programs a page [fake: 3000, system: 20]; on system also bounds the argument cases");
  app.add_option("--expect", request.expectations,
                 "TOML file of rules known to be broken, each with its reason");
  app.add_flag("--fail-on-skip", request.fail_on_skip,
               "a rule that was skipped for whatever reason makes the run inconclusive");
  app.add_option("--rerun-failed", request.rerun,
                 "JSON report of an earlier run: only the rules that it calls broken or open");
  app.add_option("--corpus", request.corpus,
                 "folder of cases that have failed: they run first, and new ones are added");
}

void CompleteStacks(const Raw& raw, Request& request) {
  const std::string folder = FolderOfThisProgram();
  Stack stack;
  stack.fake = raw.nic == "fake";
  stack.fake_dir = !raw.fake_dir.empty() ? raw.fake_dir : folder + "/../lib/fakenic";
  stack.address = raw.address;
  if (raw.ends == "two-processes") stack.ends = Ends::kTwoProcesses;
  const char* rxe = std::getenv("RXE_ADDR");
  if (stack.address.empty() && stack.fake) stack.address = "127.0.0.1";
  if (stack.address.empty() && rxe != nullptr) stack.address = rxe;
  stack.sut = std::filesystem::path(folder + "/../lib/librpma.so.0").lexically_normal();
  if (raw.suts.empty()) request.stacks.push_back(stack);
  for (const std::string& sut : raw.suts) {
    // A name without a slash is one that only the loader can find.
    stack.sut = sut.find('/') == std::string::npos
                    ? sut
                    : std::filesystem::absolute(sut).lexically_normal().string();
    request.stacks.push_back(stack);
  }
}

void CompleteAmount(const Raw& raw, Request& request) {
  const bool fake = request.stacks[0].fake;
  Amount& amount = request.amount;
  request.seed_given = raw.seed.has_value();
  amount.seed = raw.seed ? *raw.seed : std::random_device{}();
  if (request.mode == Mode::kCertify) amount.seed = kCertifySeed;
  std::size_t programs = fake ? kProgramsOnFake : kProgramsOnSystem;
  if (request.mode == Mode::kQuick) programs = std::min(programs, kQuickPrograms);
  if (!raw.only.empty()) amount.half = raw.only == "arguments" ? Half::kArguments : Half::kModels;
  amount.programs = raw.cases.value_or(programs);
  if (!fake) amount.sample = std::max<std::size_t>(amount.programs, 1);
  if (request.mode == Mode::kQuick && fake) amount.sample = kQuickSample;
  const int processors = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  request.workers = raw.workers.value_or(fake ? processors : 1);
}

void CompleteReports(const Raw& raw, Request& request) {
  request.report_folder = raw.report_dir;
  if (!raw.report_dir.empty()) request.reports = AllFormsIn(raw.report_dir);
  const std::pair<Form, const std::string*> files[] = {{Form::kJson, &raw.json},
                                                       {Form::kJunit, &raw.junit},
                                                       {Form::kTap, &raw.tap},
                                                       {Form::kMarkdown, &raw.markdown},
                                                       {Form::kHtml, &raw.html}};
  for (const auto& [form, path] : files)
    if (!path->empty()) request.reports.push_back({form, *path});
}

// What does not go together; "" if all does.
std::string Contradiction(const Raw& raw, const Request& request) {
  if (request.mode == Mode::kCertify) {
    if (!request.expectations.empty())
      return "--mode certify: takes no --expect, every rule has to hold";
    if (raw.seed) return "--mode certify: takes no --seed, it is always the same";
    if (raw.cases) return "--mode certify: takes no --cases, it is always everything";
    if (!raw.only.empty()) return "--mode certify: takes no --only, it is always everything";
    if (!raw.budget.empty()) return "--mode certify: takes no --time-budget, nothing is cut short";
    if (!request.globs.empty() || !request.pages.empty() || !request.sections.empty() ||
        !request.excluded.empty() || !request.rerun.empty())
      return "--mode certify: judges all rules, none can be selected or excluded";
  }
  if ((request.gdb || request.as_c) && raw.ends == "two-processes")
    return std::string("--ends two-processes: does not go with ") +
           (request.gdb ? "--gdb" : "--as-c") + ", which shows both ends in one process";
  if (!raw.budget.empty() && !ParseDuration(raw.budget))
    return "--time-budget: '" + raw.budget + "', expected a time as 90s, 5m or 1h";
  if (!raw.report_dir.empty() && access(raw.report_dir.c_str(), W_OK) != 0 &&
      mkdir(raw.report_dir.c_str(), 0777) != 0)
    return "--report-dir: " + raw.report_dir + ": " + std::strerror(errno);
  return "";
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

struct Subcommand {
  Command command;
  CLI::App* app;
};

std::vector<Subcommand> AddSubcommands(CLI::App& app, Raw& raw, Request& request) {
  const auto add = [&](const char* name, const char* help) {
    return app.add_subcommand(name, help);
  };
  CLI::App* run = add("run", "judge the library (the default)");
  AddRun(*run, raw, request);
  CLI::App* list = add("list", "the rules");
  AddSelection(*list, request);
  AddStrict(*list, request);
  CLI::App* explain = add("explain", "one rule: where it comes from, what it demands");
  explain->add_option("RULE", request.text, "its id")->required();
  CLI::App* replay = add("replay", "run one case and show every call");
  AddStack(*replay, raw);
  AddStrict(*replay, request);
  replay
      ->add_option("CASE", request.cases,
                   "the case, as a report prints it; several run one after another")
      ->required();
  CLI::Option* as_c =
      replay->add_flag("--as-c", request.as_c, "print the case as a C program on librpma.h");
  replay->add_flag("--gdb", request.gdb, "run the case under gdb")->excludes(as_c);
  CLI::App* sweep = add("sweep", "make every call fail in every scenario, and count (fake only)");
  AddStack(*sweep, raw);
  CLI::App* report = add("report", "other forms of reports that a run has written");
  AddReports(*report, raw);
  report
      ->add_option("REPORT", request.files,
                   "JSON reports, of shards for example, or the folder of a run that was killed")
      ->required();
  CLI::App* compare = add("compare", "what has changed between two runs");
  compare->add_option("OLD NEW", request.files, "two JSON reports")->required()->expected(2);
  CLI::App* expectations = add("expectations", "the file of what is known to be broken");
  expectations->require_subcommand(1);
  CLI::App* update = expectations->add_subcommand(
      "update", "write what a run found broken, and drop what holds, for its stacks only");
  update->add_option("FILE", request.expectations, "the TOML file; made if it is not there")
      ->required();
  update->add_option("REPORT", request.files, "JSON report of the run")->required()->expected(1);
  update->add_option("--reason", request.reason, "of new entries [what was seen]");
  return {{Command::kRun, run},         {Command::kList, list},
          {Command::kExplain, explain}, {Command::kReplay, replay},
          {Command::kSweep, sweep},     {Command::kReport, report},
          {Command::kCompare, compare}, {Command::kUpdate, expectations}};
}

}  // namespace

std::string_view NameOf(Mode mode) {
  constexpr std::string_view kNames[] = {"quick", "ci", "certify"};
  return kNames[static_cast<int>(mode)];
}

std::optional<std::chrono::seconds> ParseDuration(const std::string& text) {
  constexpr std::uint64_t kMost = 1000000;
  char* unit = nullptr;
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  const std::uint64_t count = std::strtoull(text.c_str(), &unit, 10);
  if (count == 0 || count > kMost) return std::nullopt;
  const std::string_view rest = unit;
  if (rest.empty() || rest == "s") return std::chrono::seconds(count);
  if (rest == "m") return std::chrono::minutes(count);
  if (rest == "h") return std::chrono::hours(count);
  return std::nullopt;
}

std::optional<Request> ParseCommandLine(int argc, char** argv, int& exit_status) {
  Request request;
  Raw raw;
  CLI::App app(kAbout, "rpma-conformance");
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  AddRun(app, raw, request);
  const std::vector<Subcommand> subcommands = AddSubcommands(app, raw, request);
  if (!Parse(app, argc, argv, exit_status)) return std::nullopt;
  for (const Subcommand& subcommand : subcommands)
    if (*subcommand.app) request.command = subcommand.command;
  request.mode = raw.mode == "quick" ? Mode::kQuick : raw.mode == "ci" ? Mode::kCi : Mode::kCertify;
  if (request.mode == Mode::kCertify) request.fail_on_skip = true;
  CompleteStacks(raw, request);
  CompleteAmount(raw, request);
  std::string problem = Contradiction(raw, request);
  CompleteReports(raw, request);
  request.budget = ParseDuration(raw.budget);
  const bool runs = request.command == Command::kRun || request.command == Command::kReplay;
  if (problem.empty() && runs && request.stacks[0].address.empty())
    problem = "--nic system: needs the device's address, by --addr or RXE_ADDR";
  if (problem.empty() && request.command == Command::kReport && request.reports.empty())
    problem = "report: expected --json, --junit, --tap, --markdown, --html or --report-dir";
  if (problem.empty()) return request;
  std::cerr << problem << '\n';
  exit_status = kExitUsage;
  return std::nullopt;
}

}  // namespace conformance
