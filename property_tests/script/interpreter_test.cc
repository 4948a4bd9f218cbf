// Scripts as `replay` runs them: what is called and what is not, what is waited for, and what is
// looked at when all is deleted.
#include <gtest/gtest.h>

#include "property_tests/testing/program_run.h"

namespace conformance {

namespace {

ProgramRun Replay(const std::string& script) {
  return Conformance({"replay", "--sut", ReferenceLibrary(), script});
}

// On a library whose bug acts once. The suite's own set-up makes the first calls that it can act
// on.
ProgramRun ReplayWithBug(const std::string& bug, const std::string& script) {
  constexpr int kTurns = 20;
  ProgramRun run;
  for (int turn = 1; turn <= kTurns && run.status != 1; ++turn)
    run = Conformance({"replay", "--sut", PlantedCallsLibrary(), script},
                      {"PLANTED_BUG=" + bug, "PLANTED_CALL=" + std::to_string(turn)});
  return run;
}

bool Calls(const ProgramRun& run, const std::string& call) {
  return !run.line_with("call    " + call).empty();
}

TEST(Interpreter, ACallThatWouldWaitForEverIsNotMade) {
  const ProgramRun run = Replay(
      "given accepted; rpma_conn_next_event(server, &event); rpma_ep_next_conn_req(ep, NULL, "
      "&sreq2)");

  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_FALSE(Calls(run, "rpma_conn_next_event(server"));
  EXPECT_FALSE(Calls(run, "rpma_ep_next_conn_req(ep, NULL, &sreq2)"));
}

TEST(Interpreter, ItIsMadeWhenSomethingIsDueOrTheDescriptorDoesNotBlock) {
  const ProgramRun run = Replay(
      "given accepted; rpma_ep_get_fd(ep, &fd); nonblock(fd); rpma_ep_next_conn_req(ep, NULL, "
      "&sreq2); rpma_conn_next_event(client, &event)");

  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_TRUE(Calls(run, "rpma_ep_next_conn_req(ep, NULL, &sreq2) -> RPMA_E_NO_EVENT"));
  EXPECT_TRUE(Calls(run, "rpma_conn_next_event(client, &event) -> 0"));
}

TEST(Interpreter, ACallWhoseArgumentsWereNotMadeIsNotMade) {
  const ProgramRun run = Replay("rpma_peer_delete(&peer); rpma_peer_new(ctx, &peer)");

  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(run.line_with("call "), "");
}

TEST(Interpreter, AnEndpointWhosePeerIsGoneIsOnlyShutDown) {
  const ProgramRun run = Replay(
      "given context; rpma_peer_new(ctx, &peer); rpma_peer_new(ctx, &peer2); rpma_ep_listen(peer2, "
      "addr, port, &ep); rpma_conn_req_new(peer, addr, port, NULL, &creq); "
      "rpma_conn_req_connect(&creq, NULL, &client); rpma_peer_delete(&peer2); "
      "rpma_ep_next_conn_req(ep, NULL, &sreq); rpma_ep_shutdown(&ep)");

  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_FALSE(Calls(run, "rpma_ep_next_conn_req")) << run.out;
  EXPECT_TRUE(Calls(run, "rpma_ep_shutdown(&ep) -> 0")) << run.out;
}

// The failed allocation is of an exception, which then has room of its own; a sanitizer's is no
// allocation that can be made to fail.
TEST(Interpreter, WhatAPageLeavesOpenMayBeAnsweredThoughAnAllocationFailed) {
  const ProgramRun run = Replay(
      "given context; rpma_conn_cfg_new(&cfg); rpma_conn_cfg_set_compl_channel(cfg, true); "
      "rpma_peer_new(ctx, &peer2); rpma_srq_new(peer2, NULL, &srq); rpma_conn_cfg_set_srq(cfg, "
      "srq); fault(malloc, 1, ENOMEM); rpma_conn_req_new(peer2, addr, port, cfg, &creq)");

  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_TRUE(Calls(run, "rpma_conn_req_new(peer2, addr, port, cfg, &creq) -> RPMA_E_INVAL"))
      << run.out;
}

TEST(Interpreter, WhatNeverComesIsAVerdictAndNotAHang) {
  const ProgramRun run =
      ReplayWithBug("rpma_conn_disconnect.closes",
                    "given connected; rpma_conn_disconnect(client); rpma_conn_next_event(server, "
                    "&event)");

  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_EQ(run.line_with("verdict"), "verdict FAIL rpma_conn_disconnect.closes");
  EXPECT_EQ(run.line_with("seen"), "seen    nothing in 100 ms");
}

TEST(Interpreter, WhatTheScriptLeavesIsDeletedAndJudged) {
  const ProgramRun run = ReplayWithBug("rpma_conn_delete.nulled", "given connected");

  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_EQ(run.line_with("verdict"), "verdict FAIL rpma_conn_delete.nulled");
}

TEST(Interpreter, WhatIsAliveInTheEndIsChargedToTheCallThatFailed) {
  const ProgramRun run = ReplayWithBug(
      "rpma_ep_listen.releases",
      "given peer; fault(rdma_listen, 1, EADDRINUSE); rpma_ep_listen(peer, addr, port, &ep)");

  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_EQ(run.line_with("verdict"), "verdict FAIL rpma_ep_listen.releases");
}

// Debian's leaves the id of a rejected request behind.
TEST(Interpreter, WhatIsLeftWithoutTheFailureTooIsNotItsDoing) {
  const std::string world =
      "given context; rpma_peer_new(ctx, &peer); rpma_ep_listen(peer, addr, port, &ep); "
      "rpma_conn_req_new(peer, addr, port, NULL, &creq); rpma_conn_req_connect(&creq, NULL, "
      "&client); rpma_ep_next_conn_req(ep, NULL, &sreq); ";
  const ProgramRun run =
      Conformance({"replay", "--sut", kDebian,
                   world + "fault(ibv_create_cq, 1, EIO); rpma_conn_req_new(peer, addr, port, "
                           "NULL, &creq2)"});

  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_TRUE(Calls(run, "rpma_conn_req_new(peer, addr, port, NULL, &creq2) -> RPMA_E_PROVIDER"));
  EXPECT_EQ(run.line_with("verdict"), "verdict FAIL rpma_ep_next_conn_req.releases") << run.out;
}

TEST(Interpreter, OnlyOneFailureIsPlannedAtATime) {
  const ProgramRun run = Replay(
      "given context; fault(ibv_alloc_pd, 1, EPERM); fault(rdma_listen, 1, EIO); "
      "rpma_peer_new(ctx, &peer)");

  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_TRUE(Calls(run, "rpma_peer_new(ctx, &peer) -> 0"));
}

TEST(Interpreter, ADescriptorCanBeReadExactlyWhileSomethingIsDue) {
  const ProgramRun run = ReplayWithBug("rpma_conn_get_event_fd.descriptor",
                                       "given accepted; rpma_conn_get_event_fd(client, &fd)");

  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_EQ(Replay("given accepted; rpma_conn_get_event_fd(client, &fd); readable(fd); "
                   "rpma_conn_next_event(client, &event); readable(fd)")
                .status,
            0);
}

}  // namespace

}  // namespace conformance
