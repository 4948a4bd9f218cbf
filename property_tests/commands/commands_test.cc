// What a user may ask of a run, and of the reports of earlier ones.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "property_tests/testing/program_run.h"
#include "property_tests/testing/temp_folder.h"

namespace conformance {

namespace {

namespace fs = std::filesystem;

std::string TextOf(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// What of a report may differ between two runs of one seed.
std::string WithoutTimes(const std::string& report) {
  static const std::regex times(R"((\ntime .*)|("times": \{[^}]*\}))");
  return std::regex_replace(report, times, "");
}

class Commands : public testing::Test {
 protected:
  std::string File(const std::string& name) const { return folder_.file(name); }

  static ProgramRun Judge(const std::string& library, std::vector<std::string> arguments,
                          const std::vector<std::string>& environment = {}) {
    arguments.insert(arguments.begin(),
                     {"run", "--sut", library, "--seed", "1", "--mode", "quick", "--cases", "20"});
    return Conformance(arguments, environment);
  }

  const TempFolder folder_;
};

TEST_F(Commands, ReportsAreTheSameHoweverManyWorkersThereAre) {
  for (const char* jobs : {"1", "3"}) {
    std::vector<std::string> arguments{"-j", jobs, "--json", File(std::string(jobs) + ".json")};
    arguments.push_back("rpma_mr_*");
    std::ofstream(File(jobs)) << Judge(kDebian, arguments).out;
  }
  EXPECT_EQ(WithoutTimes(TextOf(File("1"))), WithoutTimes(TextOf(File("3"))));
  EXPECT_EQ(WithoutTimes(TextOf(File("1.json"))), WithoutTimes(TextOf(File("3.json"))));
  EXPECT_TRUE(Contains(TextOf(File("1")), "FAIL "));
}

TEST_F(Commands, PagesAndSectionsNarrowTheRules) {
  const ProgramRun run =
      Judge(ReferenceLibrary(), {"--page", "rpma_peer_new(3)", "--section", "ERRORS"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_FALSE(run.line_with("PASS         rpma_peer_new.peer-ptr-null").empty()) << run.out;
  EXPECT_TRUE(run.line_with("rpma_peer_new.return-value").empty());
  EXPECT_TRUE(run.line_with("rpma_peer_delete").empty());
}

TEST_F(Commands, AnExcludedRuleIsDisabledAndCountedAndCanFailTheRun) {
  const std::vector<std::string> arguments{"rpma_peer_new.*", "--exclude", "*.peer-ptr-null"};
  const ProgramRun run = Judge(ReferenceLibrary(), arguments);
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_FALSE(run.line_with("DISABLED     rpma_peer_new.peer-ptr-null").empty());
  EXPECT_FALSE(run.line_with("left out by --exclude '*.peer-ptr-null'").empty());
  EXPECT_TRUE(Contains(run.line_with("verdicts "), "1 DISABLED"));

  std::vector<std::string> strict = arguments;
  strict.push_back("--fail-on-skip");
  EXPECT_EQ(Judge(ReferenceLibrary(), strict).status, 2);
}

TEST_F(Commands, SelectionsThatLeaveNothingAreUsageErrors) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--page", "rpma_wrote"},
        {"--section", "NOWHERE"},
        {"rpma_write.conn-null", "--exclude", "rpma_write.*"},
        {"rpma_write.*", "--exclude", "rpma_read.*"}})
    EXPECT_EQ(Judge(ReferenceLibrary(), arguments).status, 64) << arguments[0];
  EXPECT_EQ(Judge(ReferenceLibrary(), {}, {"GTEST_TOTAL_SHARDS=2", "GTEST_SHARD_INDEX=2"}).status,
            64);
}

TEST_F(Commands, ShouldRulesAreJudgedOnlyIfAskedFor) {
  const ProgramRun lenient = Judge(kDebian, {"rpma_conn_cfg_set_srq.*", "--json", File("lenient")});
  EXPECT_EQ(lenient.status, 0) << lenient.out << lenient.err;
  EXPECT_TRUE(lenient.line_with("rpma_conn_cfg_set_srq.srq-null").empty()) << lenient.out;
  EXPECT_TRUE(Contains(lenient.line_with("left out "), "1 should-rule; --strict")) << lenient.out;
  EXPECT_TRUE(Contains(TextOf(File("lenient")), "\"should_rules_left_out\": 1"));

  const ProgramRun strict =
      Judge(kDebian, {"--strict", "rpma_conn_cfg_set_srq.*", "--json", File("strict"), "--tap",
                      File("tap"), "--junit", File("junit"), "--markdown", File("markdown")});
  EXPECT_EQ(strict.status, 1);
  EXPECT_FALSE(strict.line_with("FAIL         rpma_conn_cfg_set_srq.srq-null").empty());
  EXPECT_FALSE(strict.line_with("rpma_conn_cfg_set_srq(3), ERRORS, should: ").empty());
  EXPECT_FALSE(strict.line_with("--strict '").empty()) << strict.out;
  EXPECT_TRUE(Contains(TextOf(File("strict")), "\"force\": \"should\""));
  EXPECT_TRUE(Contains(TextOf(File("tap")), "force: \"should\""));
  for (const char* form : {"junit", "markdown"})
    EXPECT_TRUE(Contains(TextOf(File(form)), "ERRORS, should: ")) << form;
  EXPECT_EQ(Judge(ReferenceLibrary(), {"--strict", "rpma_conn_cfg_set_srq.*"}).status, 0);
}

TEST_F(Commands, AShouldRuleAloneIsAUsageErrorUnlessStrict) {
  const ProgramRun run = Judge(ReferenceLibrary(), {"rpma_mr_reg.usage-zero"});
  EXPECT_EQ(run.status, 64);
  EXPECT_TRUE(Contains(run.err, "; --strict judges them")) << run.err;
  EXPECT_EQ(Judge(ReferenceLibrary(), {"rpma_mr_reg.*", "--exclude", "*.usage-zero"}).status, 0);
  EXPECT_TRUE(Contains(Conformance({"explain", "rpma_mr_reg.usage-zero"}).out,
                       "run --strict rpma_mr_reg.usage-zero"));
}

// What ends the process conforms to nothing.
TEST_F(Commands, ACrashIsToldEvenIfItsShouldRuleIsNotJudged) {
  const ProgramRun run = Judge(kDebian, {"rpma_mr_advise.*"});
  EXPECT_FALSE(run.line_with("CRASH        rpma_mr_advise.mr-null").empty()) << run.out;
}

TEST_F(Commands, ReplayJudgesShouldRulesIfStrict) {
  const std::string text = "given peer; rpma_mr_reg(peer, mem, 64, 0, &mr)";
  const std::vector<std::string> bug{"PLANTED_BUG=rpma_mr_reg.usage-zero"};
  const std::vector<std::string> lenient{"replay", "--sut", PlantedCallsLibrary(), text};
  EXPECT_EQ(Conformance(lenient, bug).status, 0) << Conformance(lenient, bug).out;
  const ProgramRun strict =
      Conformance({"replay", "--sut", PlantedCallsLibrary(), "--strict", text}, bug);
  EXPECT_EQ(strict.status, 1) << strict.out << strict.err;
  EXPECT_TRUE(Contains(strict.out, "verdict FAIL rpma_mr_reg.usage-zero")) << strict.out;
}

TEST_F(Commands, CertifyTakesNothingThatWouldMakeItEasier) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--seed", "3"},
                                                    {"--expect", "x.toml"},
                                                    {"rpma_write.*"},
                                                    {"--exclude", "rpma_write.*"},
                                                    {"--cases", "1"},
                                                    {"--time-budget", "5m"}}) {
    std::vector<std::string> all{"--mode", "certify"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const ProgramRun run = Conformance(all);
    EXPECT_EQ(run.status, 64) << arguments[0];
    EXPECT_TRUE(Contains(run.err, "--mode certify: ")) << run.err;
  }
}

TEST_F(Commands, TwoShardsJudgeEveryRuleOnceAndMergeIntoOneReport) {
  const std::vector<std::string> pages{"rpma_peer_*", "rpma_srq_cfg_*"};
  for (const char* index : {"0", "1"}) {
    std::vector<std::string> arguments = pages;
    arguments.insert(arguments.end(), {"--json", File(index)});
    const ProgramRun run = Judge(ReferenceLibrary(), arguments,
                                 {"GTEST_TOTAL_SHARDS=2", std::string("GTEST_SHARD_INDEX=") + index,
                                  "GTEST_SHARD_STATUS_FILE=" + File("status")});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
  }
  EXPECT_TRUE(fs::exists(File("status")));
  ASSERT_EQ(Conformance({"report", File("0"), File("1"), "--tap", File("tap")}).status, 0);
  const ProgramRun list = Conformance({"list", pages[0], pages[1]});
  EXPECT_EQ(TextOf(File("tap"))
                .rfind("TAP version 14\n1.." + std::to_string(list.lines().size()) + "\n", 0),
            0u)
      << TextOf(File("tap")).substr(0, 60);
}

TEST_F(Commands, RerunJudgesOnlyWhatFailedAndSaysSo) {
  ASSERT_EQ(Judge(kDebian, {"rpma_srq_cfg_get_*", "--json", File("old")}).status, 1);
  const ProgramRun again = Judge(ReferenceLibrary(), {"--rerun-failed", File("old")});
  EXPECT_EQ(again.status, 0) << again.out << again.err;
  EXPECT_TRUE(Contains(again.line_with("verdicts "), "2 PASS")) << again.out;
  EXPECT_FALSE(again.line_with("only the 2 that failed in ").empty());

  ASSERT_EQ(Judge(ReferenceLibrary(), {"rpma_srq_cfg_new.*", "--json", File("good")}).status, 0);
  EXPECT_EQ(Judge(ReferenceLibrary(), {"--rerun-failed", File("good")}).status, 64);
}

TEST_F(Commands, CompareShowsOnlyWhatHasChanged) {
  Judge(ReferenceLibrary(), {"rpma_srq_cfg_*", "--json", File("old")});
  Judge(kDebian, {"rpma_srq_cfg_*", "--json", File("new")});
  const ProgramRun worse = Conformance({"compare", File("old"), File("new")});
  EXPECT_EQ(worse.status, 1) << worse.err;
  EXPECT_FALSE(
      worse.line_with("worse   PASS         FAIL         rpma_srq_cfg_get_rq_size.value").empty())
      << worse.out;
  EXPECT_TRUE(worse.line_with("rpma_srq_cfg_delete").empty());
  EXPECT_EQ(Conformance({"compare", File("new"), File("old")}).status, 0);
  EXPECT_EQ(Conformance({"compare", File("new"), File("new")}).out, "nothing has changed\n");
}

TEST_F(Commands, SeveralLibrariesStandSideBySide) {
  const ProgramRun run = Judge(kDebian, {"--sut", ReferenceLibrary(), "rpma_srq_cfg_*"});
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_FALSE(run.line_with("FAIL          PASS          rpma_srq_cfg_get_rq_size.value").empty())
      << run.out;
  EXPECT_TRUE(run.line_with("PASS          PASS ").empty());
}

TEST_F(Commands, ExpectationsAreUpdatedForTheStackOfTheRunAlone) {
  const std::string file = File("expected.toml");
  std::ofstream(file) << "# kept\n[[expected]]\nrule = 'rpma_srq_cfg_delete.accepted'\n"
                         "stack = '/other on fake'\nreason = 'theirs'\n\n"
                         "[[expected]]\nrule = 'rpma_srq_cfg_delete.nulled'\nstack = '"
                      << kDebian << " on fake'\nreason = 'mended'\n";
  Judge(kDebian, {"rpma_srq_cfg_*", "--json", File("report"), "--expect", file});
  const ProgramRun update =
      Conformance({"expectations", "update", file, File("report"), "--reason", "D30"});
  EXPECT_EQ(update.status, 0) << update.out << update.err;
  const std::string text = TextOf(file);
  EXPECT_EQ(text.rfind("# kept\n[[expected]]\nrule = 'rpma_srq_cfg_delete.accepted'\n", 0), 0u)
      << text;
  EXPECT_FALSE(Contains(text, "mended")) << text;
  EXPECT_TRUE(Contains(text, "rule = \"rpma_srq_cfg_get_rq_size.value\"\nstack = \"" +
                                 std::string(kDebian) + " on fake\"\nreason = \"D30\"\n"))
      << text;
  EXPECT_EQ(Judge(kDebian, {"rpma_srq_cfg_*", "--expect", file}).status, 0);
}

TEST_F(Commands, TheCorpusGrowsWithWhatFailsAndRunsFirst) {
  Judge(kDebian, {"rpma_srq_cfg_get_rq_size.*", "--corpus", File("corpus")});
  const std::string saved = TextOf(File("corpus") + "/rpma_srq_cfg_get_rq_size.value.case");
  EXPECT_TRUE(Contains(saved, "\nrpma_srq_cfg_new(&object); ")) << saved;
  std::ofstream(File("corpus") + "/broken.case") << "no case\n";
  const ProgramRun run = Judge(kDebian, {"rpma_srq_cfg_get_rq_size.*", "--corpus", File("corpus")});
  EXPECT_EQ(run.status, 64);
  EXPECT_TRUE(Contains(run.err, "broken.case: ")) << run.err;
}

TEST_F(Commands, ATimeBudgetEndsARunThatSaysWhatItDidNotJudge) {
  const ProgramRun run =
      Conformance({"run", "--sut", ReferenceLibrary(), "--cases", "1000000", "--time-budget", "1s",
                   "--json", File("report"), "rpma_write.*", "rpma_read.*"});
  EXPECT_FALSE(run.line_with("not finished rpma_write programs").empty()) << run.out << run.err;
  EXPECT_TRUE(Contains(TextOf(File("report")), "\"ending\": \"time budget\""));
  EXPECT_EQ(Conformance({"run", "--time-budget", "soon"}).status, 64);
}

// What the reports of a folder say while the programs of rpma_write run.
constexpr char kInACase[] = "\"rpma_write programs, in the case ";

// A run that would go on for hours, and is at work: its folder says in which case.
class LongRun {
 public:
  LongRun(const fs::path& folder, std::vector<std::string> arguments, bool under_nohup = false)
      : folder_(folder), pid_(fork()) {
    if (pid_ == 0) {
      for (const int which : {SIGINT, SIGTERM, SIGHUP}) signal(which, SIG_DFL);
      if (under_nohup) signal(SIGHUP, SIG_IGN);
      setenv("TMPDIR", folder_.c_str(), 1);
      freopen("/dev/null", "w", stdout);
      arguments.insert(arguments.begin(), {CONFORMANCE_PROGRAM, "run", "--sut", ReferenceLibrary(),
                                           "--cases", "1000000"});
      std::vector<char*> argv;
      for (std::string& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(127);
    }
    for (int i = 0; i < 3000 && !IsInACase(); ++i) usleep(10000);
  }

  fs::path work() const {
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.is_directory() && fs::exists(entry.path() / "rpma_write_programs.board"))
        return entry.path();
    return {};
  }

  bool LivesOnAfter(int signal) {
    kill(pid_, signal);
    usleep(200000);
    return waitpid(pid_, nullptr, WNOHANG) == 0;
  }

  // The status of the process after the signal.
  int End(int signal) {
    kill(pid_, signal);
    int status = 0;
    waitpid(pid_, &status, 0);
    return status;
  }

 private:
  bool IsInACase() const {
    const fs::path folder = work();
    return !folder.empty() &&
           Contains(Conformance({"report", folder, "--json", "/dev/stdout"}).out, kInACase);
  }

  fs::path folder_;
  pid_t pid_;
};

TEST_F(Commands, ARunThatIsKilledLeavesWhatItKnewAndWhatWasRunning) {
  LongRun run(folder_.path(), {"--json=" + File("report"), "rpma_peer_*", "rpma_write.*"});
  const fs::path work = run.work();
  for (int i = 0; i < 3000 && !fs::exists(File("report")); ++i) usleep(10000);
  EXPECT_TRUE(WIFSIGNALED(run.End(SIGKILL)));

  EXPECT_TRUE(Contains(TextOf(File("report")), "\"ending\": \"running\""));
  ASSERT_EQ(Conformance({"report", work, "--json", File("after")}).status, 0);
  EXPECT_TRUE(Contains(TextOf(File("after")), kInACase)) << TextOf(File("after")).substr(0, 2000);
}

TEST_F(Commands, ARunThatIsInterruptedLeavesNothing) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    LongRun run(folder_.path(), {"rpma_write.*"});
    const int status = run.End(signal);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2)
        << strsignal(signal) << ": " << status;
    EXPECT_TRUE(fs::is_empty(folder_.path())) << strsignal(signal);
  }
}

TEST_F(Commands, ARunUnderNohupOutlivesItsTerminal) {
  LongRun run(folder_.path(), {"rpma_write.*"}, /*under_nohup=*/true);
  EXPECT_TRUE(run.LivesOnAfter(SIGHUP));
  EXPECT_EQ(WEXITSTATUS(run.End(SIGINT)), 2);
}

TEST_F(Commands, ARunWhoseReaderGoesAwayEndsAndLeavesNothing) {
  RunProgram({"/bin/sh", "-c", "\"$0\" run --sut \"$1\" --cases 1000000 | head -n 1",
              CONFORMANCE_PROGRAM, ReferenceLibrary()},
             {"TMPDIR=" + folder_.path()});
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(Commands, ACrashComesWithTheStackAndReplaysAsOne) {
  const std::string library = PlantedLibrary();
  const ProgramRun run = Judge(library, {"rpma_write.*"}, {"PLANTED_BUG=crash"});
  EXPECT_FALSE(run.line_with("CRASH        rpma_write.conn-null").empty()) << run.out;
  EXPECT_FALSE(run.line_with("rpma_write+").empty()) << run.out;
  EXPECT_TRUE(Contains(run.line_with("rpma_write+"), " in librpma-planted.so")) << run.out;
  const ProgramRun replay = Conformance({"replay", "--sut", library,
                                         "write conn=NULL dst=D+0 src=S+0 len=8 flags=ALWAYS "
                                         "ctx=0x7"},
                                        {"PLANTED_BUG=crash"});
  EXPECT_EQ(replay.status, 1) << replay.out;
  EXPECT_TRUE(Contains(replay.out, "crashed the process with signal 4")) << replay.out;
}

// The bug acts at one call of the process: alone, the case that met it shows nothing.
TEST_F(Commands, AFailureThatNeedsWhatCameBeforeIsReplayedWithIt) {
  const std::vector<std::string> bug{"PLANTED_BUG=rpma_conn_cfg_get_sq_size.value",
                                     "PLANTED_CALL=5"};
  const ProgramRun run = Judge(PlantedCallsLibrary(), {"rpma_conn_cfg_get_sq_size.*"}, bug);
  const std::string line = run.line_with("'cases 0..");
  ASSERT_FALSE(line.empty()) << run.out;
  const std::size_t quote = line.find('\'');
  const std::string text = line.substr(quote + 1, line.rfind('\'') - quote - 1);
  const ProgramRun replay = Conformance({"replay", "--sut", PlantedCallsLibrary(), text}, bug);
  EXPECT_EQ(replay.status, 1) << replay.out << replay.err;
  EXPECT_TRUE(Contains(replay.out, "verdict FAIL rpma_conn_cfg_get_sq_size.value"));
}

// gdb takes its commands from the standard input, which is empty here but for this.
TEST_F(Commands, ACaseRunsUnderGdbAndStopsWhereItBeginsAndWhereItCrashes) {
  const ProgramRun run =
      RunProgram({"/bin/sh", "-c",
                  "printf 'continue\\nbacktrace 9\\nkill\\n' | \"$0\" replay --gdb --sut \"$1\" "
                  "'write conn=NULL dst=D+0 src=S+0 len=8 flags=ALWAYS ctx=0x7'",
                  CONFORMANCE_PROGRAM, PlantedLibrary()},
                 {"PLANTED_BUG=crash"});
  EXPECT_TRUE(Contains(run.out, "rpma_conformance_case_begins")) << run.out << run.err;
  EXPECT_TRUE(Contains(run.out, "SIGILL")) << run.out << run.err;
  EXPECT_TRUE(Contains(run.out, " rpma_write (")) << run.out << run.err;
}

TEST_F(Commands, WithoutGdbAReplayUnderItSaysSo) {
  const ProgramRun run = Conformance({"replay", "--gdb", "drain"}, {"PATH=" + folder_.path()});
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(Contains(run.err, "gdb: cannot be started: No such file")) << run.err;
}

}  // namespace

}  // namespace conformance
