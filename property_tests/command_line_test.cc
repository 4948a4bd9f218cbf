// The program as a user meets it: exit statuses, sentences, and what it says of a library with a
// known defect.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "property_tests/testing/program_run.h"
#include "property_tests/testing/temp_folder.h"
#include "spec/catalogue.h"

namespace conformance {

namespace {

using testing::Test;

// The report without what may differ between two runs of the same seed.
std::string WithoutTimes(const ProgramRun& run) {
  std::string report;
  for (const std::string& line : run.lines())
    if (line.rfind("time ", 0) != 0) report += line + '\n';
  return report;
}

TEST(CommandLine, ReferenceOnTheFakeHoldsEveryRuleAndNoneIsSkipped) {
  const ProgramRun run =
      Conformance({"--sut", ReferenceLibrary(), "--cases", "500", "--fail-on-skip"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(run.lines().back(), "every rule that must hold holds");
  EXPECT_TRUE(Contains(run.line_with("verdicts"), " 3 MOOT, ")) << run.line_with("verdicts");
}

TEST(CommandLine, SameSeedSameReport) {
  const std::vector<std::string> arguments{"--sut",       ReferenceLibrary(), "--seed",
                                           "7",           "--cases",          "300",
                                           "rpma_conn_*", "rpma_mr_*",        "rpma_read.*"};
  EXPECT_EQ(WithoutTimes(Conformance(arguments)), WithoutTimes(Conformance(arguments)));
}

TEST(CommandLine, DebiansLibraryBreaksExactlyWhatIsKnownOfIt) {
  ASSERT_EQ(access(kDebian, R_OK), 0) << kDebian << " is missing, ./ci/setup installs it";
  const ProgramRun run = Conformance({"--sut", kDebian, "--seed", "1", "--cases", "100", "--expect",
                                      ExpectationsFolder() + "/debian-1.2.0.toml"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_FALSE(run.line_with("XFAIL        rpma_write.length-whole").empty());
}

TEST(CommandLine, ABrokenRuleIsToldWithItsCaseAndWhatWasSeen) {
  const ProgramRun run =
      Conformance({"--sut", kDebian, "--seed", "1", "--cases", "500", "rpma_write.*"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_EQ(run.lines().back(), "1 rule is broken: rpma_write.length-whole");
  EXPECT_FALSE(
      run.line_with("case     write dst=D+0 src=S+0 len=0x100000000 flags=ALWAYS ctx=0x7").empty());
  EXPECT_FALSE(
      run.line_with("seen     rpma_write returned 0, then completion wr_id 0x7 status success")
          .empty());
  EXPECT_FALSE(run.line_with("allowed  ").empty());
}

TEST(CommandLine, AnExpectationThatDoesNotShowIsAnError) {
  const ProgramRun run = Conformance({"--sut", ReferenceLibrary(), "--cases", "10", "--expect",
                                      ExpectationsFolder() + "/debian-1.2.0.toml", "rpma_write.*"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_FALSE(run.line_with("XPASS        rpma_write.length-whole").empty());
}

// The bug takes away the only call that would be refused with an out-parameter.
TEST(CommandLine, AnExpectedRuleThatCannotBeJudgedIsAsExpectedAndSaysSo) {
  const TempFolder folder;
  const std::string file = folder.file("unjudged.toml");
  std::ofstream(file) << "[[expected]]\nrule = 'rpma_conn_cfg_get_sq_size.cfg-null'\nreason = 'x'\n"
                         "[[expected]]\nrule = 'rpma_conn_cfg_get_sq_size.untouched'\n"
                         "reason = 'hidden by x'\n";
  const ProgramRun run = Conformance({"--sut", PlantedCallsLibrary(), "--cases", "0", "--expect",
                                      file, "rpma_conn_cfg_get_sq_size.*"},
                                     {"PLANTED_BUG=rpma_conn_cfg_get_sq_size.cfg-null"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_FALSE(run.line_with("XFAIL        rpma_conn_cfg_get_sq_size.untouched").empty());
  EXPECT_FALSE(run.line_with("no case put this rule to the test").empty());
}

TEST(CommandLine, AnExpectationsFileThatCannotBeReadIsAUsageError) {
  const ProgramRun run =
      Conformance({"--sut", ReferenceLibrary(), "--expect", "/nonexistent.toml"});
  EXPECT_EQ(run.status, 64);
  EXPECT_TRUE(Contains(run.err, "/nonexistent.toml"));
}

TEST(CommandLine, SeedIsAlwaysPrinted) {
  const ProgramRun run =
      Conformance({"--sut", ReferenceLibrary(), "--cases", "1", "rpma_write.conn-null"});
  EXPECT_EQ(run.lines().front().rfind("seed ", 0), 0u);
  EXPECT_FALSE(run.line_with("PASS         rpma_write.conn-null").empty()) << run.out;
}

TEST(CommandLine, FileThatIsNoLibraryIsAnUnusableEnvironment) {
  const ProgramRun run = Conformance({"--sut", "/bin/true"});
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(Contains(run.err, "environment not usable: /bin/true: ")) << run.err;
}

TEST(CommandLine, LibraryWithoutTheNeededFunctionsIsAnUnusableEnvironment) {
  const ProgramRun run = Conformance({"--sut", "libm.so.6"});
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(Contains(run.err, "does not export: rpma_utils_get_ibv_context rpma_peer_new"))
      << run.err;
}

TEST(CommandLine, AMissingFunctionIsTheVerdictOfItsRulesAlone) {
  const ProgramRun run = Conformance({"--sut", CONFORMANCE_WITHOUT_ATOMIC_WRITE, "--cases", "100",
                                      "rpma_write.*", "rpma_atomic_write.*"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_FALSE(run.line_with("MISSING      rpma_atomic_write.conn-null").empty()) << run.out;
  EXPECT_FALSE(run.line_with("PASS         rpma_write.conn-null").empty()) << run.out;
  EXPECT_TRUE(Contains(run.out, "the library does not export rpma_atomic_write")) << run.out;
}

TEST(CommandLine, AnotherVerbsLibraryThanTheFakeIsAnUnusableEnvironment) {
  const ProgramRun run = Conformance({"--sut", ReferenceLibrary(), "--fake-dir", "/nowhere"});
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(Contains(run.err, "/nowhere/libibverbs.so.1 is wanted, loaded instead: ")) << run.err;
}

TEST(CommandLine, AnAddressOfNoDeviceIsAnUnusableEnvironmentAndTheErrorIsTold) {
  const ProgramRun run = Conformance({"--sut", ReferenceLibrary(), "--addr", "0.0.0.0"});
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(Contains(run.err,
                       "set-up on address 0.0.0.0: rpma_utils_get_ibv_context returned "
                       "RPMA_E_PROVIDER (-100002), errno is 19 (No such device)"))
      << run.err;
}

TEST(CommandLine, UsageErrors) {
  EXPECT_EQ(Conformance({"--no-such-option"}).status, 64);
  EXPECT_EQ(Conformance({"--nic", "carrier-pigeon"}).status, 64);
  EXPECT_EQ(Conformance({"rpma_wrote.*"}).status, 64);
  EXPECT_EQ(Conformance({"explain", "rpma_write.nothing"}).status, 64);
  EXPECT_EQ(Conformance({"replay", "wrote"}).status, 64);
  EXPECT_EQ(Conformance({"replay", "wrote"}).err, "case: 'wrote': cannot read 'wrote'\n");
}

TEST(CommandLine, ListAndExplain) {
  const ProgramRun list = Conformance({"list", "rpma_write.*"});
  EXPECT_EQ(list.status, 0);
  EXPECT_FALSE(list.line_with("rpma_write.flags-zero").empty());
  EXPECT_TRUE(list.line_with("rpma_atomic_write").empty());
  const ProgramRun explain = Conformance({"explain", "rpma_write.flags-zero"});
  EXPECT_EQ(explain.status, 0);
  EXPECT_FALSE(explain.line_with("A write with no completion flag is refused").empty());
}

TEST(CommandLine, ListNamesEveryRuleButShouldRulesOnlyIfStrict) {
  std::size_t should = 0;
  for (const spec::Rule* rule : spec::Catalogue())
    should += rule->force == spec::Force::kShould ? 1 : 0;
  const ProgramRun list = Conformance({"list"});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_EQ(list.lines().size(), spec::Catalogue().size() - should);
  EXPECT_EQ(Conformance({"list", "--strict"}).lines().size(), spec::Catalogue().size());
}

TEST(CommandLine, HelpTeaches) {
  const ProgramRun run = Conformance({"--help"});
  EXPECT_EQ(run.status, 0);
  for (const char* word : {"replay", "--sut", "--nic", "examples:", "exit status"})
    EXPECT_TRUE(Contains(run.out, word)) << word;
}

TEST(CommandLine, ReplayShowsEveryCallAndTheVerdict) {
  const ProgramRun run = Conformance({"replay", "--sut", ReferenceLibrary(),
                                      "write dst=D+8 src=S+0 len=16 flags=ALWAYS ctx=0x7; poll"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_FALSE(run.line_with("len=16 flags=ALWAYS ctx=0x7 -> 0").empty());
  EXPECT_FALSE(run.line_with("completion wr_id 0x7 status success").empty());
  EXPECT_EQ(run.lines().back(), "verdict PASS: every outcome is allowed");
}

}  // namespace

}  // namespace conformance
