// The two ends of a connection in two processes: the verdicts are those of one process, and what
// happens at the far end is charged as it is at this one.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "property_tests/testing/program_run.h"
#include "property_tests/testing/temp_folder.h"

namespace conformance {

namespace {

const std::vector<std::string> kTwo{"--ends", "two-processes"};

ProgramRun InTwo(std::vector<std::string> arguments,
                 const std::vector<std::string>& environment = {}) {
  arguments.insert(arguments.end(), kTwo.begin(), kTwo.end());
  return Conformance(std::move(arguments), environment);
}

// "VERDICT rule" of every rule.
std::vector<std::string> Verdicts(const ProgramRun& run) {
  std::vector<std::string> verdicts;
  for (const std::string& line : run.lines()) {
    const std::size_t space = line.find(' ');
    const std::size_t rule = line.find("rpma_");
    if (space == 0 || rule != 13) continue;
    verdicts.push_back(line.substr(0, space) + " " +
                       line.substr(rule, line.find(' ', rule) - rule));
  }
  std::sort(verdicts.begin(), verdicts.end());
  return verdicts;
}

TEST(TwoProcesses, EveryRuleHasTheVerdictThatItHasInOne) {
  const std::vector<std::string> arguments{"--sut", ReferenceLibrary(), "--seed", "1", "--mode",
                                           "quick", "--cases",          "200"};
  const ProgramRun one = Conformance(arguments);
  const ProgramRun two = InTwo(arguments);

  EXPECT_GT(Verdicts(one).size(), 700u);
  EXPECT_EQ(Verdicts(one), Verdicts(two)) << two.out;
  EXPECT_EQ(two.status, 0);
  EXPECT_EQ(one.line_with("ends "), "ends         in one process");
}

TEST(TwoProcesses, WhatHasBothEndsInOneIsCounted) {
  const ProgramRun messages = InTwo({"--sut", ReferenceLibrary(), "--seed", "1", "--mode", "quick",
                                     "--cases", "0", "--page", "rpma_send"});
  const ProgramRun shared = InTwo({"--sut", ReferenceLibrary(), "--seed", "1", "--mode", "quick",
                                   "--cases", "0", "--page", "rpma_srq_recv"});

  EXPECT_EQ(messages.line_with("ends ").rfind("ends         in two processes", 0), 0u);
  EXPECT_NE(shared.line_with("ends ").find(" cases in one, where "), std::string::npos);
}

TEST(TwoProcesses, ALibraryThatBreaksARuleBreaksItThereToo) {
  for (const std::string bug : {"rpma_recv.data-placed", "rpma_recv.message-order",
                                "rpma_flush.region-end", "rpma_write.data-written"}) {
    const std::string page = bug.substr(0, bug.find('.'));
    const ProgramRun run = InTwo({"--sut", PlantedLibrary(), "--seed", "1", "--mode", "quick",
                                  "--cases", "20", page + ".*", "rpma_send.*", "rpma_write.*"},
                                 {"PLANTED_BUG=" + bug});
    EXPECT_EQ(NotHeld(run), std::vector<std::string>{"FAIL " + bug}) << run.out;
  }
}

TEST(TwoProcesses, AScriptWithTwoEndsIsRunAtBothAndOneWithOneEndAtIt) {
  const ProgramRun two = InTwo({"replay", "--sut", ReferenceLibrary(), "given connected"});
  const ProgramRun one = InTwo({"replay", "--sut", ReferenceLibrary(), "given listening"});

  EXPECT_FALSE(two.line_with("call    server.rpma_peer_new(").empty()) << two.out;
  EXPECT_FALSE(two.line_with("call    rpma_conn_next_event(server, &event) -> 0").empty());
  EXPECT_FALSE(two.line_with("rpma_peer_delete(&peer) (server) -> 0").empty());
  EXPECT_TRUE(one.line_with("server.").empty()) << one.out;
  EXPECT_EQ(two.status + one.status, 0);
}

// The second event of a queue is that of the other end.
TEST(TwoProcesses, APlannedFailureCountsTheCallsOfBothEnds) {
  const ProgramRun run = InTwo(
      {"replay", "--sut", ReferenceLibrary(),
       "given memory; fault(ibv_get_cq_event, 2, EIO); rpma_conn_get_cq(client, &cq); "
       "rpma_write(client, remote, 0, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 3); rpma_cq_wait(cq); "
       "rpma_conn_get_cq(server, &cq); rpma_recv(server, mr, 0, 64, 7); "
       "rpma_send(client, mr, 64, 8, RPMA_F_COMPLETION_ALWAYS, 8); rpma_cq_wait(cq)"});

  EXPECT_FALSE(run.line_with("call    rpma_cq_wait(cq) -> 0").empty()) << run.out;
  EXPECT_FALSE(
      run.line_with("rpma_cq_wait(cq) -> RPMA_E_PROVIDER (-100002), ibv_get_cq_event").empty())
      << run.out;
  EXPECT_EQ(run.status, 0);
}

TEST(TwoProcesses, ADescriptorOfTheFarEndIsLookedAtThere) {
  const ProgramRun run =
      InTwo({"replay", "--sut", ReferenceLibrary(),
             "given accepted; rpma_conn_get_event_fd(server, &fd); readable(fd); nonblock(fd); "
             "rpma_conn_next_event(server, &event); rpma_conn_next_event(client, &event); "
             "readable(fd); rpma_conn_next_event(server, &event)"});

  EXPECT_FALSE(run.line_with("rpma_conn_next_event(server, &event) -> RPMA_E_NO_EVENT").empty())
      << run.out;
  EXPECT_FALSE(run.line_with("rpma_conn_next_event(server, &event) -> 0").empty()) << run.out;
  EXPECT_EQ(run.status, 0) << run.out;
}

struct BrokenCall {
  const char* bug;
  const char* turn;  // at which the bug shows, of the calls that each end can make of it
};

class TwoProcessesWith : public testing::TestWithParam<BrokenCall> {};

TEST_P(TwoProcessesWith, ACallThatBreaksARuleIsChargedToIt) {
  const std::string bug = GetParam().bug;
  const ProgramRun run =
      InTwo({"--sut", PlantedCallsLibrary(), "--seed", "1", "--cases", "0",
             bug.substr(0, bug.find('.')) + ".*"},
            {"PLANTED_BUG=" + bug, std::string("PLANTED_CALL=") + GetParam().turn});

  EXPECT_EQ(NotHeld(run), std::vector<std::string>{"FAIL " + bug}) << run.out;
}

INSTANTIATE_TEST_SUITE_P(All, TwoProcessesWith,
                         testing::Values(BrokenCall{"rpma_conn_req_get_private_data.data", "3"},
                                         BrokenCall{"rpma_conn_req_delete.rejects", "4"},
                                         BrokenCall{"rpma_ep_next_conn_req.releases", "2"},
                                         BrokenCall{"rpma_conn_disconnect.closes", "6"}),
                         [](const auto& info) {
                           std::string name = info.param.bug;
                           for (char& c : name)
                             if (c == '.') c = '_';
                           return name;
                         });

// Of the pages that it does not make wait.
TEST(TwoProcesses, DebiansLibraryBreaksThereWhatIsKnownOfIt) {
  ASSERT_EQ(access(kDebian, R_OK), 0) << kDebian << " is missing, ./ci/setup installs it";

  const ProgramRun run =
      InTwo({"--sut", kDebian, "--seed", "1", "--mode", "quick", "--cases", "20", "--expect",
             ExpectationsFolder() + "/debian-1.2.0.toml", "rpma_conn_[dgn]*",
             "rpma_conn_req_delete.*", "rpma_ep_[gln]*", "rpma_write.*", "rpma_srq_recv.*"});

  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_FALSE(run.line_with("XFAIL        rpma_write.length-whole").empty());
  EXPECT_FALSE(run.line_with("XFAIL        rpma_conn_req_delete.").empty());
}

struct Ended {
  const char* bug;
  const char* text;
  const char* seen;
};

class FarEndThat : public testing::TestWithParam<Ended> {};

TEST_P(FarEndThat, IsAVerdictWithItsStack) {
  const ProgramRun run = InTwo({"replay", "--sut", PlantedLibrary(), GetParam().text},
                               {std::string("PLANTED_BUG=") + GetParam().bug});

  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_NE(run.line_with("seen ").find(GetParam().seen), std::string::npos) << run.out;
  if (GetParam().bug != std::string("exit")) {
    EXPECT_NE(run.out.find(" in librpma-planted.so"), std::string::npos) << run.out;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FarEndThat,
    testing::Values(Ended{"crash",
                          "server.write conn=NULL dst=D+0 src=S+0 len=8 flags=ALWAYS ctx=0x7",
                          "the library crashed the process with signal"},
                    Ended{"exit", "server.write dst=D+0 src=S+0 len=8 flags=0 ctx=0x7",
                          "the library ended the process with exit status 0"},
                    Ended{"hang",
                          "server.write dst=D+0 src=S+0 len=8 flags=ON_ERROR ctx=0x7; drain",
                          "the call did not return within"}),
    [](const auto& info) { return info.param.bug; });

TEST(TwoProcesses, LeaveNoFabricBehind) {
  const TempFolder folder;

  InTwo({"replay", "--sut", PlantedLibrary(),
         "server.write conn=NULL dst=D+0 src=S+0 len=8 flags=ALWAYS ctx=0x7"},
        {"PLANTED_BUG=crash", "TMPDIR=" + folder.path()});

  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace

}  // namespace conformance
